//! Requests and the handlers of the endpoints that they ask.

use super::{assert_has, assert_lacks, edges};

#[test]
fn requests_lead_to_the_handlers_of_the_nearest_repository() {
    let edges = edges(
        "//- shop/app.py
from .routes import orders
app.include_router(orders.router, prefix=\"/api/orders\")
//- shop/routes/__init__.py
//- shop/routes/orders.py
router = APIRouter()
@router.get(\"/{id}\")
def order(id): pass
@router.get(\"/open\")
def open_orders(): pass
//- shop/tests/test_orders.py
def test_order(client):
    client.get(\"/api/orders/1\")
    client.get(\"/other/thing\")
//- @users/main.go
package main
func routes(s *Server) {
	mux.HandleFunc(\"GET /users/{id}\", s.show)
	mux.HandleFunc(\"GET /ping\", ping)
}
type Server struct{}
func (s *Server) show() {}
func ping() {}
//- @web/client.ts
export const order = (id: number) => fetch(`${base}/api/orders/${id}`);
export const open = () => fetch(`${base}/api/orders/open`);
export const user = (id: number) => fetch(`/users/${id}`);
export const ping = () => fetch('/ping');
export const none = () => fetch('/users/1/none');
",
    );
    assert_has(
        &edges,
        &[
            "shop/routes/orders.py:order -serve-> !GET /api/orders/{} (external)",
            "users/main.go:Server.show -serve-> !GET /users/{} (external)",
            "web/client.ts:order -request-> shop/routes/orders.py:order (dependency)",
            "web/client.ts:open -request-> shop/routes/orders.py:open_orders (dependency)",
            "shop/tests/test_orders.py:test_order -request-> shop/routes/orders.py:order (unique)",
            "shop/tests/test_orders.py:test_order -request-> !GET /other/thing (external)",
            "web/client.ts:none -request-> !GET /users/1/none (external)",
        ],
    );
    // One word of another repository proves nothing.
    assert_has(&edges, &["web/client.ts:ping -request-> users/main.go:ping (dependency)"]);
    assert_lacks(&edges, &["MOUNT", "/open (external)\nx"]);
}

#[test]
fn methods_of_services_are_joined_by_their_declaration() {
    let edges = edges(
        "//- protos/demo.proto
syntax = \"proto3\";
package shop;
service Cart {
  rpc GetCart (Empty) returns (Empty);
}
//- other/protos/demo.proto
syntax = \"proto3\";
package shop;
service Cart {
  rpc GetCart (Empty) returns (Empty);
}
//- cart/server.py
import cart_pb2_grpc
class CartService(cart_pb2_grpc.CartServicer):
    def GetCart(self, request, context): pass
    def Check(self, request, context): pass
//- web/main.go
package main
import \"google.golang.org/grpc\"
func load(conn *grpc.ClientConn) {
	items := pb.NewCartClient(conn).GetCart(ctx, nil)
}
",
    );
    assert_has(
        &edges,
        &[
            "cart/server.py:CartService.GetCart -serve-> protos/demo.proto:shop.Cart.GetCart (unique)",
            "web/main.go:load -request-> protos/demo.proto:shop.Cart.GetCart (unique)",
        ],
    );
    // A service has the methods that it declares.
    assert_lacks(&edges, &["Cart/Check"]);
}

#[test]
fn topics_lead_from_who_sends_to_who_listens() {
    let edges = edges(
        "//- a.py
def send(): producer.send('orders.created', b'x')
//- B.java
class B {
    @KafkaListener(topics = \"orders.created\")
    void on(String x) {}
}
",
    );
    assert_has(
        &edges,
        &["a.py:send -request-> B.java:B.on (unique)", "B.java:B.on -serve-> !topic orders.created (external)"],
    );
}

#[test]
fn routers_are_mounted_where_they_are_made_and_handlers_found_by_their_class() {
    let edges = edges(
        "//- app/__init__.py
from app.api import bp as api_bp
app.register_blueprint(api_bp, url_prefix='/api')
//- app/api/__init__.py
from flask import Blueprint
bp = Blueprint('api', __name__)
//- app/api/users.py
from app.api import bp
@bp.get('/users/<int:id>')
def user(id): pass
//- @lib/router.ex
defmodule Web.Router do
  scope \"/api\", Web do
    get \"/orders/:id\", OrderController, :show
  end
end
//- lib/order_controller.ex
defmodule Web.OrderController do
  def show(conn, params) do
  end
end
//- lib/other_controller.ex
defmodule Web.OtherController do
  def show(conn, params) do
  end
end
",
    );
    assert_has(
        &edges,
        &[
            "app/api/users.py:user -serve-> !GET /api/users/{} (external)",
            "lib/order_controller.ex:Web.OrderController.show/2 -serve-> !GET /api/orders/{} (external)",
        ],
    );
    assert_lacks(&edges, &["!GET /users/{}"]);
}

#[test]
fn an_application_may_be_below_a_path_that_is_not_written() {
    let edges = edges(
        "//- app/main.py
from app.users import router
app.include_router(router, prefix=settings.API)
//- app/users.py
router = APIRouter(prefix='/users')
@router.get('/{id}')
def user(id): pass
//- client.ts
export const one = (id: number) => fetch(`/api/v1/users/${id}`);
export const other = (id: number) => fetch(`/a/b/c/d/users/${id}`);
",
    );
    assert_has(
        &edges,
        &[
            "app/users.py:user -serve-> !GET /users/{} (external)",
            "client.ts:one -request-> app/users.py:user (unique)",
            "client.ts:other -request-> !GET /a/b/c/d/users/{} (external)",
        ],
    );
}

#[test]
fn routers_of_one_file_have_paths_of_their_own_and_routes_that_take_everything_are_guesses() {
    let edges = edges(
        "//- api.py
from views import auth_router, user_router
api.include_router(auth_router, prefix='/auth')
api.include_router(user_router, prefix='/users')
//- views.py
auth_router = APIRouter()
user_router = APIRouter()
@auth_router.post('/login')
def login(): pass
@user_router.get('/{id}')
def user(id): pass
//- files.go
package main
func routes() { mux.HandleFunc(\"/static/{rest...}\", files) }
func files() {}
//- client.ts
export const one = () => fetch('/static/a/b');
",
    );
    assert_has(
        &edges,
        &[
            "views.py:login -serve-> !POST /auth/login (external)",
            "views.py:user -serve-> !GET /users/{} (external)",
            "client.ts:one -request-> files.go:files (ambiguous)",
        ],
    );
    assert_lacks(&edges, &["/users/login", "!GET /auth/{}"]);
}
