//! Endpoints of small files in many languages and frameworks.

use sextant_format::kinds::EdgeKind;

use crate::Analyzer;
use crate::chunk::Limits;

/// The endpoints of a file, as `serve GET /x <handler>` and `request GET /x <function>`.
fn of(path: &str, text: &str) -> Vec<String> {
    let analysis = Analyzer::new().analyze(path, text.into(), &Limits::STANDARD).unwrap();
    let endpoints = analysis.references.iter().filter(|r| matches!(r.kind, EdgeKind::Serve | EdgeKind::Request));
    let line = |r: &crate::model::Reference| {
        let handler = match (&r.qualifier, &r.alias) {
            (Some(owner), Some(name)) => format!("{owner} | {name}"),
            (None, Some(name)) => name.clone(),
            _ => format!("<{}>", analysis.symbols[r.source as usize].name),
        };
        format!("{} {} {handler}", r.kind, r.name)
    };
    let mut found: Vec<String> = endpoints.map(line).collect();
    found.sort();
    found
}

#[track_caller]
fn check(path: &str, text: &str, expected: &[&str]) {
    assert_eq!(of(path, text), expected, "{path}");
}

#[test]
fn python() {
    check(
        "app.py",
        r#"
from flask import Flask, Blueprint
app = Flask(__name__)
bp = Blueprint("shop", __name__, url_prefix="/shop")

@app.route("/users/<int:id>", methods=["GET", "POST"])
def user(id):
    return cache.get("/etc/x")

@bp.get("/items")
def items():
    pass

@bp.post("")
def add():
    pass

@mock.patch("app.views.x")
def test_x():
    pass
"#,
        &[
            "serve GET /shop/items <items>",
            "serve GET /users/{} <user>",
            "serve POST /shop <add>",
            "serve POST /users/{} <user>",
        ],
    );
    check(
        "api.py",
        r#"
router = APIRouter(prefix="/api")

@router.get("/users/{user_id}")
async def read_user(user_id: int):
    return await http_client.get(f"{BASE}/accounts/{user_id}?full=1")

def sync():
    url = BASE_URL + "/jobs/" + job
    requests.post(url, json={})
    requests.get("https://api.github.com/users")
    requests.request("DELETE", "http://jobs:8080/jobs/1")
    session.get("users")
    requests.get(url_of(job))
"#,
        &[
            "request DELETE /jobs/1 <sync>",
            "request GET /accounts/{} <read_user>",
            "request POST /jobs/{} <sync>",
            "serve GET /api/users/{} <read_user>",
        ],
    );
    check(
        "main.py",
        "app.include_router(users, prefix=settings.API)\napp.include_router(items.router, prefix='/items')\napp.include_router(all)\n",
        &["serve MOUNT / all", "serve MOUNT /items items | router", "serve MOUNT {?} users"],
    );
    check(
        "shop/urls.py",
        "urlpatterns = [\n    path('users/<int:pk>/', views.detail),\n    re_path(r'^posts/(?P<id>[0-9]+)/$', PostView.as_view()),\n    path('x/', include('x.urls')),\n    re_path(r'^api/', include([path('y/', y), path('z/', include(router.urls))])),\n]\nrouter.register('users', UserViewSet)\n",
        &[
            "serve * /api/y y",
            "serve * /api/z/users UserViewSet",
            "serve * /api/z/users/{} UserViewSet",
            "serve * /posts/{} PostView",
            "serve * /users/{} views | detail",
            "serve MOUNT /api/z router.urls",
            "serve MOUNT /x x.urls",
        ],
    );
}

#[test]
fn ecma() {
    check(
        "server.ts",
        r#"
const router = express.Router();
router.get('/users/:id', auth, users.show);
router.post('/users', async (req, res) => { res.send(1); });
app.use('/api', router);
app.get('title');
app.route('/books').get(list);
cache.get('/x');
export const add = (user) => api.post('/users', user);
class ApiClient { save(x) { return this.put('/users/1', x); } }
"#,
        &[
            "request POST /users <add>",
            "request PUT /users/1 <save>",
            "serve GET /api/users/{} users | show",
            "serve GET /books list",
            "serve MOUNT /api router",
            "serve POST /api/users <server.ts>",
        ],
    );
    check(
        "routes.ts",
        "const api = Router()\n  .use(tags)\n  .use(users);\nexport default Router().use('/api', api);\n",
        &["serve MOUNT /api api", "serve MOUNT /api tags", "serve MOUNT /api users"],
    );
    check(
        "client.ts",
        r#"
export async function load(id: string) {
    const a = await fetch(`/api/users/${id}`);
    const b = await fetch('/api/users', { method: 'POST', body });
    await axios.get<User>(`${base}/api/users/${id}`);
    await axios({ method: 'put', url: '/api/users/1' });
    await this.http.delete('/api/users/' + id);
    const url = `${base}/api/jobs`;
    return fetch(url);
}
"#,
        &[
            "request DELETE /api/users/{} <load>",
            "request GET /api/jobs <load>",
            "request GET /api/users/{} <load>",
            "request GET /api/users/{} <load>",
            "request POST /api/users <load>",
            "request PUT /api/users/1 <load>",
        ],
    );
    check(
        "users.controller.ts",
        "@Controller('users')\nexport class UsersController {\n  @Get(':id')\n  one(@Param('id') id: string) {}\n  @Post()\n  add() {}\n}\n",
        &["serve GET /users/{} <one>", "serve POST /users <add>"],
    );
}

#[test]
fn files_are_routes() {
    let text = "const handler = async (req, res) => { res.json(1); };\nexport default handler;\n";
    check("web/pages/api/users/[id].ts", text, &["serve * /api/users/{} <[id].ts>"]);
    check("pages/api/cart/index.js", "export default function cart(req, res) {}\n", &["serve * /api/cart <cart>"]);
    let text = "export async function GET() {}\nexport const POST = async () => {};\nfunction helper() {}\n";
    check("src/app/(shop)/api/items/route.ts", text, &["serve GET /api/items <GET>", "serve POST /api/items <POST>"]);
    check("src/routes/api/[id]/+server.js", "export function DELETE() {}\n", &["serve DELETE /api/{} <DELETE>"]);
    check("src/app/items/page.ts", text, &[]);
}

#[test]
fn names_have_the_values_of_their_scope() {
    check(
        "a.ts",
        r#"
const base = '/api';
function first() { const url = base + '/first'; return fetch(url); }
function second(url) { return fetch(url); }
function third() { return fetch(url); }
function fourth() { return client.get(queue + '/info'); }
export const load = (options) => (options.client ?? client).post<A>({ url: `${base}/x`, ...options });
"#,
        &["request GET /api/first <first>", "request POST /api/x <load>"],
    );
    check(
        "client.go",
        "package api\n\nconst pathUser = \"%s/api/user/%d\"\n\nfunc (c *client) User(id int) {\n\turi := fmt.Sprintf(pathUser, c.addr, id)\n\tc.request.Get(ctx, uri, out)\n}\n",
        &["request GET /api/user/{} <User>"],
    );
    check(
        "S.cs",
        "class S {\n    private readonly string baseUrl = \"api/catalog/\";\n    void F() {\n        var uri = $\"{baseUrl}items/{id}\";\n        httpClient.GetAsync(uri);\n    }\n}\n",
        &["request GET /api/catalog/items/{} <F>"],
    );
    check(
        "a.html",
        "<script>fetch(\"{{ $.baseUrl }}/bot\", { method: 'POST' }); $.ajax({ url: 'accounts/current' });</script>",
        &["request GET /accounts/current <a.html>", "request POST /bot <a.html>"],
    );
}

#[test]
fn java_and_kotlin() {
    check(
        "UserController.java",
        r#"
@RestController
@RequestMapping("/api/users")
class UserController {
    @GetMapping("/{id}")
    User one(@PathVariable String id) { return template.getForObject("http://accounts/accounts/{id}", User.class, id); }

    @RequestMapping(value = "/all", method = RequestMethod.POST)
    List<User> all() { return Files.list(Paths.get("/etc/users", "x")); }

    @PostMapping
    User add() { return client.get().uri("/audit/{id}").retrieve(); }
}
"#,
        &[
            "request GET /accounts/{} <one>",
            "request GET /audit/{} <add>",
            "serve GET /api/users/{} <one>",
            "serve POST /api/users <add>",
            "serve POST /api/users/all <all>",
        ],
    );
    check(
        "Api.java",
        "interface Api {\n    @GET(\"users/{id}\")\n    Call<User> user(@Path(\"id\") String id);\n}\n@Path(\"/books\")\nclass Books {\n    @GET\n    @Path(\"/{id}\")\n    Book one(@PathParam(\"id\") int id) { return null; }\n}\n",
        &["request GET /users/{} <user>", "serve GET /books/{} <one>"],
    );
    check(
        "App.kt",
        "fun Application.module() {\n    routing {\n        route(\"/api\") {\n            get(\"/users/{id}\") { call.respond(1) }\n        }\n    }\n}\nsuspend fun load(client: HttpClient, id: Int) = client.get(\"http://users/api/users/$id\")\n",
        &["request GET /api/users/{} <load>", "serve GET /api/users/{} <module>"],
    );
}

#[test]
fn go_and_rust() {
    check(
        "server.go",
        r#"package main

func (s *Server) routes() {
	s.mux.HandleFunc("GET /users/{id}", s.user)
	http.Handle("/health", http.HandlerFunc(health))
	api := r.Group("/api")
	api.POST("/users", s.create)
	{
		api := api.Group("")
		api.GET("/deep", s.deep)
		api.DELETE("", s.clear)
	}
	r.HandleFunc("/books/{id}", s.book).Methods("PUT")
	r.Route("/v2", func(r chi.Router) {
		r.Get("/items", s.items)
	})
}

func (c *Client) User(id int) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("%s/users/%d", c.base, id), nil)
	resp, err := http.Post("http://localhost:8080/api/users", "application/json", body)
	rows := os.Open("/etc/passwd")
}
"#,
        &[
            "request GET /users/{} <User>",
            "request POST /api/users <User>",
            "serve * /health health",
            "serve DELETE /api s | clear",
            "serve GET /api/deep s | deep",
            "serve GET /users/{} s | user",
            "serve GET /v2/items s | items",
            "serve POST /api/users s | create",
            "serve PUT /books/{} s | book",
        ],
    );
    check(
        "main.rs",
        r#"
fn app() -> Router {
    Router::new().route("/users/{id}", get(show).put(users::update)).nest("/api", api())
}
fn api() -> Router {
    Router::new().route("/jobs", post(|| async { 1 }))
}
#[get("/items/{id}")]
async fn item(id: u32) {}
async fn load(client: &reqwest::Client, id: u32) {
    client.get(format!("{}/users/{}", base, id)).send().await;
    map.get("/users");
}
"#,
        &[
            "request GET /users/{} <load>",
            "serve GET /items/{} <item>",
            "serve GET /users/{} show",
            "serve MOUNT /api api",
            "serve POST /api/jobs <api>",
            "serve PUT /users/{} users | update",
        ],
    );
}

#[test]
fn ruby_elixir_php_and_c_sharp() {
    check(
        "config/routes.rb",
        "Rails.application.routes.draw do\n  namespace :api do\n    get '/users/:id', to: 'users#show'\n  end\n  post '/login' => 'sessions#create'\nend\n",
        &["serve GET /api/users/{} UsersController | show", "serve POST /login SessionsController | create"],
    );
    check(
        "app.rb",
        "get '/hello' do\n  1\nend\n\ndef load\n  Faraday.get('/hello')\nend\n",
        &["request GET /hello <load>", "serve GET /hello <app.rb>"],
    );
    check(
        "router.ex",
        "defmodule Web.Router do\n  scope \"/api\", Web do\n    get \"/users/:id\", UserController, :show\n  end\nend\n",
        &["serve GET /api/users/{} UserController | show"],
    );
    check(
        "routes.php",
        "<?php\nRoute::get('/users/{id}', [UserController::class, 'show']);\nRoute::post('/users', 'UserController@store');\n$client->request('GET', '/users/' . $id);\n",
        &[
            "request GET /users/{} <routes.php>",
            "serve GET /users/{} UserController | show",
            "serve POST /users UserController | store",
        ],
    );
    check(
        "UsersController.cs",
        "[ApiController]\n[Route(\"api/[controller]\")]\npublic class UsersController {\n    [HttpGet(\"{id}\")]\n    public User One(int id) { return null; }\n}\nclass C { async Task Load() { await client.GetFromJsonAsync<User>($\"api/users/{id}\"); app.MapGet(\"/ping\", Ping); app.MapPost(\"/x\", async Task<Results<A, B<C>>> (D d) => { return 1; }); } }\n",
        &[
            "request GET /api/users/{} <Load>",
            "serve GET /api/users/{} <One>",
            "serve GET /ping Ping",
            "serve POST /x <Load>",
        ],
    );
}

#[test]
fn services_of_protocol_buffers() {
    check(
        "greeter.proto",
        "syntax = \"proto3\";\npackage hello;\nservice Greeter {\n  rpc SayHello (Request) returns (Reply);\n}\n",
        &["serve Greeter/SayHello <SayHello>"],
    );
    check(
        "server.py",
        "import helloworld_pb2_grpc\n\nclass Greeter(helloworld_pb2_grpc.GreeterServicer):\n    def SayHello(self, request, context):\n        pass\n\ndef run(channel):\n    stub = helloworld_pb2_grpc.GreeterStub(channel)\n    stub.SayHello(1)\n    other.get(1)\n",
        &["request Greeter/SayHello <run>", "serve Greeter/SayHello <SayHello>"],
    );
    check(
        "server.go",
        "package main\n\nimport \"google.golang.org/grpc\"\n\ntype server struct {\n\tpb.UnimplementedGreeterServer\n}\n\nfunc (s *server) SayHello(ctx context.Context, in *pb.HelloRequest) (*pb.HelloReply, error) {\n\treturn nil, nil\n}\n\nfunc call(conn *grpc.ClientConn) {\n\tc := pb.NewGreeterClient(conn)\n\tc.SayHello(ctx, nil)\n\tredis := db.NewRedisClient(conn)\n\tredis.Get(1)\n}\n",
        &["request Greeter/SayHello <call>", "serve Greeter/SayHello <SayHello>"],
    );
    check(
        "Server.java",
        "import io.grpc.Server;\nclass GreeterImpl extends GreeterGrpc.GreeterImplBase {\n    public void sayHello(HelloRequest req, StreamObserver<HelloReply> o) {}\n}\nclass C {\n    private final GreeterGrpc.GreeterBlockingStub blockingStub;\n    void greet() { blockingStub.sayHello(r); }\n}\n",
        &["request Greeter/SayHello <greet>", "serve Greeter/SayHello <sayHello>"],
    );
    check(
        "server.rs",
        "use tonic::Request;\n#[derive(Default)]\npub struct MyGreeter {}\n\n#[tonic::async_trait]\nimpl Greeter for MyGreeter {\n    async fn say_hello(&self, r: Request<HelloRequest>) {}\n}\nimpl Drop for MyGreeter { fn drop(&mut self) {} }\nasync fn call() { let mut client = greeter_client::GreeterClient::connect(\"http://x\").await; client.say_hello(1).await; }\n",
        &["request Greeter/SayHello <call>", "serve Greeter/SayHello <say_hello>"],
    );
}

#[test]
fn topics_of_messages() {
    check(
        "a.py",
        "def f():\n    producer.send('orders.created', b'x')\n    socket.send('orders.created')\n    consumer.subscribe(['orders.created', 'orders.paid'])\n    channel.basic_publish(exchange='', routing_key='jobs', body=b)\n    producer.send(topic, b'x')\n    producer.publish('low')\n    queue.publish(routing_key=data['key'])\n",
        &[
            "request topic jobs <f>",
            "request topic orders.created <f>",
            "serve topic orders.created <f>",
            "serve topic orders.paid <f>",
        ],
    );
    check(
        "A.java",
        "class A {\n    @KafkaListener(topics = {\"orders.created\"}, groupId = \"g\")\n    void on(String x) {}\n    void send() { kafkaTemplate.send(\"orders.created\", x); }\n}\n",
        &["request topic orders.created <send>", "serve topic orders.created <on>"],
    );
    check(
        "a.ts",
        "async function f() {\n  await producer.send({ topic: 'orders', messages: [] });\n  await consumer.subscribe({ topics: ['orders'] });\n  emitter.emit('change');\n}\n",
        &["request topic orders <f>", "serve topic orders <f>"],
    );
}

#[test]
fn broken_texts_have_no_endpoints_and_do_no_harm() {
    for text in [
        "app.get('/x",
        "app.get('",
        "app.get(",
        "fetch(`${",
        "app.get('/x', (",
        "get '/x' do",
        "@app.get(\"/é\u{1}\")\ndef f(): pass",
        "requests.get(f\"{",
        "app.get(\u{feff}'/ü/:id', f)",
        "fetch('http://')",
        "axios({ url: })",
        "app.use('/', )",
    ] {
        for path in ["a.js", "a.py", "a.rb", "a.rs", "a.go", "A.java", "a.php", "A.cs", "a.kt", "a.ex"] {
            let _ = Analyzer::new().analyze(path, text.into(), &Limits::STANDARD);
        }
    }
}
