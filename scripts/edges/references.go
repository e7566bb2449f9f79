// Says what the names in the Go files of a checkout refer to, by the compiler's own go/parser and go/types.
//
// In: a folder. Every package below it is checked, with its tests, for linux/amd64 and without cgo. Packages of the
// folder's modules are imported from source, others from GOROOT and GOPATH (in the way of GO111MODULE=off); those that
// are missing are unknown, and errors are passed over.
//
// Out, a line of JSON for each file: {path, bodies: [[line, column, line, column]], definitions: [[line, column, kind]],
// uses: [[line, column, target, form, receiver]]}; lines from 1, columns from 0 in bytes. A target is "path:line:column"
// of its definition, or "external ..." outside of the folder. Names of packages are no uses.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

type output struct {
	Path        string   `json:"path"`
	Bodies      [][4]int `json:"bodies"`
	Definitions [][]any  `json:"definitions"`
	Uses        [][]any  `json:"uses"`
}

// A folder of Go files, by the package that they say they are of.
type folder struct {
	path  string // to import it by, if it can be
	files map[string][]*ast.File
	tests map[string][]*ast.File // names of the package and, with _test, of the tests outside of it
}

type world struct {
	root     string
	fset     *token.FileSet
	rest     types.ImporterFrom
	modules  map[string]string // module's name to its folder
	folders  map[string]*folder
	imported map[string]*types.Package
	tested   map[string]*types.Package // the package that the tests outside of it see
	outputs  map[string]*output
	defined  map[string]bool
	bound    map[token.Pos]string // what the syntax says of variables
}

func main() {
	root, err := filepath.EvalSymlinks(os.Args[1])
	if err != nil {
		panic(err)
	}
	build.Default.GOOS, build.Default.GOARCH, build.Default.CgoEnabled = "linux", "amd64", false
	w := &world{root: root, fset: token.NewFileSet(), modules: map[string]string{}, folders: map[string]*folder{},
		imported: map[string]*types.Package{}, tested: map[string]*types.Package{}, outputs: map[string]*output{},
		defined: map[string]bool{}, bound: map[token.Pos]string{}}
	w.rest = importer.ForCompiler(w.fset, "source", nil).(types.ImporterFrom)
	w.read()
	for _, dir := range sorted(w.folders) {
		one := w.folders[dir]
		names := map[string]bool{}
		for name := range one.files {
			names[name] = true
		}
		for name := range one.tests {
			names[name] = true
		}
		for _, name := range sorted(names) { // a package before the tests outside of it
			files := append(append([]*ast.File{}, one.files[name]...), one.tests[name]...)
			info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
				Selections: map[*ast.SelectorExpr]*types.Selection{}}
			w.tested = map[string]*types.Package{}
			if outer := strings.TrimSuffix(name, "_test"); outer != name && one.files[outer] != nil {
				files := append(append([]*ast.File{}, one.files[outer]...), one.tests[outer]...)
				w.tested[one.path] = w.check(one.path, files, nil)
			}
			w.check(one.path, files, info)
			for _, file := range files {
				w.report(file, info)
			}
		}
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for _, path := range sorted(w.outputs) {
		found := w.outputs[path].Definitions
		sort.Slice(found, func(i, j int) bool {
			return found[i][0].(int) < found[j][0].(int) || found[i][0] == found[j][0] && found[i][1].(int) < found[j][1].(int)
		})
		line, err := json.Marshal(w.outputs[path])
		if err != nil {
			panic(err)
		}
		out.Write(append(line, '\n'))
	}
}

func sorted[T any](found map[string]T) []string {
	keys := make([]string, 0, len(found))
	for key := range found {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

var moduleLine = regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)`)

// Finds the modules and parses all files that are built for this system.
func (w *world) read() {
	filepath.WalkDir(w.root, func(path string, entry os.DirEntry, err error) error {
		dir, name := filepath.Split(path)
		dir = filepath.Clean(dir)
		if err != nil || entry.IsDir() {
			return nil
		}
		if name == "go.mod" {
			text, _ := os.ReadFile(path)
			if found := moduleLine.FindSubmatch(text); found != nil {
				w.modules[string(found[1])] = dir
			}
		}
		if matches, err := build.Default.MatchFile(dir, name); !strings.HasSuffix(name, ".go") || err != nil || !matches {
			return nil
		}
		file, _ := parser.ParseFile(w.fset, path, nil, 0)
		if file == nil || file.Name == nil {
			return nil
		}
		one := w.folders[dir]
		if one == nil {
			one = &folder{files: map[string][]*ast.File{}, tests: map[string][]*ast.File{}}
			w.folders[dir] = one
		}
		to := one.files
		if strings.HasSuffix(name, "_test.go") {
			to = one.tests
		}
		to[file.Name.Name] = append(to[file.Name.Name], file)
		w.bind(file)
		return nil
	})
	for dir, one := range w.folders {
		one.path = dir
		for module, home := range w.modules {
			if inside, err := filepath.Rel(home, dir); err == nil && inside != ".." && !strings.HasPrefix(inside, "../") {
				if path := strings.TrimSuffix(module+"/"+filepath.ToSlash(inside), "/."); one.path == dir || len(home) > len(w.home(one.path)) {
					one.path = path
				}
			}
		}
	}
}

// The folder of the module that a package is of; "" for packages from outside.
func (w *world) home(path string) string {
	for at := path; at != "."; at = filepath.Dir(at) {
		if home, ok := w.modules[at]; ok {
			return home
		}
		if at == "/" {
			break
		}
	}
	return ""
}

func (w *world) Import(path string) (*types.Package, error) {
	return w.ImportFrom(path, "", 0)
}

func (w *world) ImportFrom(path, _ string, _ types.ImportMode) (*types.Package, error) {
	if found := w.tested[path]; found != nil {
		return found, nil
	}
	if w.home(path) == "" {
		if path == "unsafe" {
			return types.Unsafe, nil
		}
		return w.rest.ImportFrom(path, w.root, 0)
	}
	if found, ok := w.imported[path]; ok {
		if found == nil {
			return nil, fmt.Errorf("%s is not there", path)
		}
		return found, nil
	}
	w.imported[path] = nil // while it is checked, for cycles
	for _, one := range w.folders {
		if one.path != path {
			continue
		}
		for _, name := range sorted(one.files) {
			if w.imported[path] == nil || name != "main" {
				w.imported[path] = w.check(path, one.files[name], nil)
			}
		}
	}
	if found := w.imported[path]; found != nil {
		return found, nil
	}
	return nil, fmt.Errorf("%s is not there", path)
}

// Without info only what others can see is checked.
func (w *world) check(path string, files []*ast.File, info *types.Info) *types.Package {
	config := types.Config{Importer: w, Error: func(error) {}, FakeImportC: true, IgnoreFuncBodies: info == nil,
		Sizes: types.SizesFor("gc", "amd64")}
	found, _ := config.Check(path, w.fset, files, info)
	return found
}

func (w *world) place(pos token.Pos) (path string, line, column int) {
	at := w.fset.PositionFor(pos, false)
	path, err := filepath.Rel(w.root, at.Filename)
	if !pos.IsValid() || err != nil || strings.HasPrefix(path, "..") {
		return "", 0, 0
	}
	return filepath.ToSlash(path), at.Line, at.Column - 1
}

func (w *world) output(path string) *output {
	if w.outputs[path] == nil {
		w.outputs[path] = &output{Path: path, Bodies: [][4]int{}, Definitions: [][]any{}, Uses: [][]any{}}
	}
	return w.outputs[path]
}

// The target that is written for an object.
func (w *world) target(object types.Object) string {
	path, line, column := w.place(object.Pos())
	if path == "" {
		if method, ok := object.(*types.Func); ok {
			return "external " + method.FullName()
		} else if object.Pkg() == nil {
			return "external " + object.Name()
		}
		return "external " + object.Pkg().Path() + "." + object.Name()
	}
	name := fmt.Sprintf("%s:%d:%d", path, line, column)
	if !w.defined[name] {
		w.defined[name] = true
		out := w.output(path)
		out.Definitions = append(out.Definitions, []any{line, column, w.kind(object)})
	}
	return name
}

func (w *world) kind(object types.Object) string {
	switch object := object.(type) {
	case *types.Func:
		if object.Type().(*types.Signature).Recv() != nil {
			return "method"
		}
		return "function"
	case *types.TypeName:
		if _, ok := object.Type().(*types.TypeParam); ok {
			return "type parameter"
		}
		if object.IsAlias() {
			return "type"
		}
		switch object.Type().Underlying().(type) {
		case *types.Struct:
			return "struct"
		case *types.Interface:
			return "interface"
		}
		return "type"
	case *types.Var:
		if object.IsField() {
			return "field"
		}
		if how := w.bound[object.Pos()]; how != "" {
			return how
		}
		if object.Parent() != nil && object.Pkg() != nil && object.Parent() == object.Pkg().Scope() {
			return "package's variable"
		}
		return "local variable"
	case *types.Const:
		return "constant"
	}
	return "other"
}

// What the syntax says of the variables of a file: where they come from.
func (w *world) bind(file *ast.File) {
	fields := func(list *ast.FieldList, how string) {
		if list != nil {
			for _, field := range list.List {
				for _, name := range field.Names {
					w.bound[name.Pos()] = how
				}
			}
		}
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncDecl:
			fields(node.Recv, "method's receiver")
		case *ast.FuncType:
			fields(node.Params, "parameter")
			fields(node.Results, "parameter")
		case *ast.AssignStmt:
			for i, to := range node.Lhs {
				if name, ok := to.(*ast.Ident); ok && node.Tok == token.DEFINE {
					value := node.Rhs[0]
					if len(node.Rhs) == len(node.Lhs) {
						value = node.Rhs[i]
					}
					w.bound[name.Pos()] = "local variable = " + valueKind(value)
				}
			}
		case *ast.RangeStmt:
			for _, to := range []ast.Expr{node.Key, node.Value} {
				if name, ok := to.(*ast.Ident); ok && node.Tok == token.DEFINE {
					w.bound[name.Pos()] = "loop variable"
				}
			}
		}
		return true
	})
	for _, declaration := range file.Decls { // of the package
		if declaration, ok := declaration.(*ast.GenDecl); ok && declaration.Tok == token.VAR {
			for _, spec := range declaration.Specs {
				spec := spec.(*ast.ValueSpec)
				for i, name := range spec.Names {
					if i < len(spec.Values) && valueKind(spec.Values[i]) == "function" {
						w.bound[name.Pos()] = "function"
					}
				}
			}
		}
	}
}

func valueKind(value ast.Expr) string {
	switch value := value.(type) {
	case *ast.CallExpr:
		if name, ok := value.Fun.(*ast.Ident); ok && name.Name == "new" {
			return "literal"
		}
		return "call"
	case *ast.CompositeLit:
		return "literal"
	case *ast.UnaryExpr:
		if _, ok := value.X.(*ast.CompositeLit); ok {
			return "literal"
		}
	case *ast.FuncLit:
		return "function"
	case *ast.TypeAssertExpr:
		return "type assertion"
	case *ast.IndexExpr:
		return "element"
	case *ast.SelectorExpr:
		return "member"
	case *ast.ParenExpr:
		return valueKind(value.X)
	}
	return "other value"
}

// Writes the bodies, definitions and uses of a file that was checked.
func (w *world) report(file *ast.File, info *types.Info) {
	path, _, _ := w.place(file.Name.Pos())
	out := w.output(path)
	for name, object := range info.Defs {
		if _, isPackage := object.(*types.PkgName); object != nil && !isPackage && name.Pos() >= file.Pos() && name.Pos() < file.End() {
			w.target(object)
		}
	}
	var above []ast.Node
	ast.Inspect(file, func(node ast.Node) bool {
		if node == nil {
			above = above[:len(above)-1]
			return true
		}
		above = append(above, node)
		var body *ast.BlockStmt
		switch node := node.(type) {
		case *ast.FuncDecl:
			body = node.Body
		case *ast.FuncLit:
			body = node.Body
		case *ast.Ident:
			w.use(out, info, above)
		}
		if body != nil {
			_, line, column := w.place(body.Pos())
			_, endLine, endColumn := w.place(body.End())
			out.Bodies = append(out.Bodies, [4]int{line, column, endLine, endColumn})
		}
		return true
	})
}

// Writes what the name at the end of `above` refers to.
func (w *world) use(out *output, info *types.Info, above []ast.Node) {
	name := above[len(above)-1].(*ast.Ident)
	var selector *ast.SelectorExpr
	if found, ok := above[len(above)-2].(*ast.SelectorExpr); ok && found.Sel == name {
		selector = found
	}
	object, target := info.Uses[name], ""
	if _, ok := object.(*types.PkgName); ok {
		return
	} else if object != nil {
		target = w.target(object)
	} else if selector != nil { // of a package that is missing
		if first, ok := selector.X.(*ast.Ident); ok {
			if named, ok := info.Uses[first].(*types.PkgName); ok && w.home(named.Imported().Path()) == "" {
				target = "external " + named.Imported().Path() + "." + name.Name
			}
		}
	}
	if target == "" {
		return
	}
	path, line, column := w.place(name.Pos())
	receiver := "none: "
	if selector != nil {
		receiver = w.receiver(info, selector)
	} else {
		receiver += w.kind(object)
		if object.Pkg() == nil {
			receiver = "none: built in"
		}
		if from, _, _ := w.place(object.Pos()); from != path && from != "" {
			receiver += " of another file"
		}
	}
	out.Uses = append(out.Uses, []any{line, column, target, form(object, above), receiver})
}

// How the value before the name is known.
func (w *world) receiver(info *types.Info, selector *ast.SelectorExpr) string {
	how := ""
	value := selector.X
	for how == "" {
		switch node := value.(type) {
		case *ast.ParenExpr:
			value = node.X
		case *ast.StarExpr:
			value = node.X
		case *ast.UnaryExpr:
			value = node.X
		case *ast.Ident:
			if named, ok := info.Uses[node].(*types.PkgName); ok {
				if w.home(named.Imported().Path()) == "" {
					return "package from outside"
				}
				return "package of the checkout"
			}
			how = "not known"
			if object := info.Uses[node]; object != nil {
				how = w.kind(object)
			}
		case *ast.SelectorExpr:
			how = "field"
			if object, ok := info.Uses[node.Sel].(*types.Var); !ok || !object.IsField() {
				how = "member of a package"
			}
		case *ast.CallExpr:
			how = "result of a call"
		default:
			how = valueKind(value)
		}
	}
	if found := info.Selections[selector]; found != nil {
		if types.IsInterface(found.Recv()) {
			how += ", an interface"
		}
		if len(found.Index()) > 1 {
			how += ", embedded"
		}
	}
	return how
}

// What is done with the name.
func form(object types.Object, above []ast.Node) string {
	at := len(above) - 1
	node := above[at]
	for at > 0 {
		at--
		outer := above[at]
		switch parent := outer.(type) {
		case *ast.SelectorExpr:
			if parent.X == node {
				return "receiver"
			}
		case *ast.ParenExpr, *ast.StarExpr:
		case *ast.IndexExpr:
			if parent.X != node {
				return typeOr(object, "index")
			}
		case *ast.IndexListExpr:
			if parent.X != node {
				return typeOr(object, "index")
			}
		case *ast.CallExpr:
			if parent.Fun != node {
				return typeOr(object, "argument")
			}
			if _, ok := object.(*types.TypeName); ok {
				return "conversion"
			}
			return "call"
		case *ast.CompositeLit:
			if parent.Type == node {
				return "literal"
			}
			return "element of a literal"
		case *ast.KeyValueExpr:
			if parent.Key == node {
				return "key of a literal"
			}
			return "element of a literal"
		case *ast.Field:
			if len(parent.Names) == 0 {
				if _, ok := above[at-2].(*ast.StructType); ok {
					return "embedded"
				}
			}
			return "type"
		case *ast.ReturnStmt:
			return "returned"
		case *ast.AssignStmt, *ast.ValueSpec:
			return typeOr(object, "assigned")
		case *ast.BinaryExpr:
			return "operand"
		default:
			return typeOr(object, "other use")
		}
		node = outer
	}
	return "other use"
}

func typeOr(object types.Object, form string) string {
	if _, ok := object.(*types.TypeName); ok {
		return "type"
	}
	return form
}
