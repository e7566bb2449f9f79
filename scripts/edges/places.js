// What stands where in JavaScript and TypeScript files, by syntax alone.
//
//   node places.js FOLDER < FILES > PLACES
//
// One line of JSON for each file: the bodies of functions, what is defined at which place, and how each
// identifier is used. Lines and columns count from 0, columns in UTF-16 units; compare.py turns them.
"use strict";
const fs = require("fs");
const path = require("path");
const { createRequire } = require("module");

const modules = process.env.SEXTANT_EDGES_MODULES || __dirname;
const indexer = require.resolve("@sourcegraph/scip-typescript/package.json", { paths: [modules] });
const ts = createRequire(indexer)("typescript");
const K = ts.SyntaxKind;

// What a declaration defines, or undefined.
function kindOf(node) {
  switch (node.kind) {
    case K.FunctionDeclaration: case K.FunctionExpression: return "function";
    case K.MethodDeclaration: case K.MethodSignature: return "method";
    case K.Constructor: return "constructor";
    case K.GetAccessor: case K.SetAccessor: return "accessor";
    case K.ClassDeclaration: case K.ClassExpression: return "class";
    case K.InterfaceDeclaration: return "interface";
    case K.TypeAliasDeclaration: return "type";
    case K.EnumDeclaration: return "enum";
    case K.EnumMember: return "enum member";
    case K.ModuleDeclaration: return "namespace";
    case K.Parameter: return "parameter";
    case K.TypeParameter: return "type parameter";
    case K.PropertySignature: case K.PropertyDeclaration: case K.PropertyAssignment: case K.ShorthandPropertyAssignment: {
      const value = node.initializer && bare(node.initializer);
      if (value && isFunction(value)) return node.kind === K.PropertyAssignment ? "object function" : "method";
      // `{ f }` and `{ g: f }` are other names of f.
      if (ts.isShorthandPropertyAssignment(node)) return "field = " + node.name.text;
      return value && ts.isPropertyAssignment(node) && ts.isIdentifier(value) ? "field = " + value.text : "field";
    }
    case K.VariableDeclaration: {
      const value = node.initializer && bare(node.initializer);
      if (value && isFunction(value)) return "function";
      if (value && value.kind === K.ClassExpression) return "class";
      return "variable";
    }
    case K.BindingElement: return "variable";
    case K.ImportSpecifier: case K.ImportClause: case K.NamespaceImport: case K.ImportEqualsDeclaration: return "import";
    default: return undefined;
  }
}

function isFunction(node) {
  return node.kind === K.ArrowFunction || node.kind === K.FunctionExpression;
}

// Without parentheses and what only the type checker sees.
function bare(node) {
  while ([K.ParenthesizedExpression, K.AsExpression, K.NonNullExpression, K.SatisfiesExpression, K.TypeAssertionExpression].includes(node.kind)) {
    node = node.expression;
  }
  return node;
}

// The names that a pattern binds.
function bound(name, found) {
  if (ts.isIdentifier(name)) found.push(name);
  else for (const element of name.elements) if (element.name) bound(element.name, found);
  return found;
}

// Names by scope: what a block, a function or a file declares.
function declare(scopes, node, scope) {
  const add = (name, declaration) => {
    if (!scopes.get(scope).has(name)) scopes.get(scope).set(name, declaration);
  };
  if (ts.isImportDeclaration(node) && node.importClause) {
    const clause = node.importClause;
    if (clause.name) add(clause.name.text, clause);
    if (clause.namedBindings && ts.isNamespaceImport(clause.namedBindings)) add(clause.namedBindings.name.text, clause.namedBindings);
    if (clause.namedBindings && ts.isNamedImports(clause.namedBindings)) {
      for (const one of clause.namedBindings.elements) add(one.name.text, one);
    }
  } else if (ts.isVariableDeclaration(node) || ts.isParameter(node)) {
    for (const name of bound(node.name, [])) add(name.text, node);
  } else if (node.name && ts.isIdentifier(node.name) && kindOf(node) && !ts.isPropertyAssignment(node) && !ts.isShorthandPropertyAssignment(node)) {
    if (![K.PropertyDeclaration, K.PropertySignature, K.MethodDeclaration, K.MethodSignature, K.GetAccessor, K.SetAccessor, K.EnumMember].includes(node.kind)) add(node.name.text, node);
  }
}

const OPENS = new Set([K.SourceFile, K.Block, K.ModuleBlock, K.CaseBlock, K.ForStatement, K.ForOfStatement, K.ForInStatement, K.CatchClause,
  K.FunctionDeclaration, K.FunctionExpression, K.ArrowFunction, K.MethodDeclaration, K.Constructor, K.GetAccessor, K.SetAccessor,
  K.ClassDeclaration, K.ClassExpression, K.FunctionType, K.MethodSignature, K.InterfaceDeclaration, K.TypeAliasDeclaration]);

function scopesOf(file) {
  const scopes = new Map();
  const walk = (node, scope) => {
    declare(scopes, node, scope);
    let inner = scope;
    if (OPENS.has(node.kind)) {
      scopes.set(node, new Map());
      inner = node;
    }
    ts.forEachChild(node, (child) => walk(child, inner));
  };
  scopes.set(file, new Map());
  ts.forEachChild(file, (child) => walk(child, file));
  return scopes;
}

// How a value is known: what its declaration says of its type.
function valueKind(node) {
  if (!node) return "nothing";
  node = bare(node);
  switch (node.kind) {
    case K.NewExpression: return "new";
    case K.CallExpression: {
      const callee = bare(node.expression);
      if (ts.isIdentifier(callee) && callee.text === "require") return "require";
      return ts.isIdentifier(callee) ? "call of a name" : "call of a member";
    }
    case K.AwaitExpression: return "await";
    case K.ArrowFunction: case K.FunctionExpression: return "function";
    case K.ObjectLiteralExpression: return "object literal";
    case K.ThisKeyword: return "this";
    default: return "other value";
  }
}

function binding(scopes, at, name) {
  for (let node = at; node; node = node.parent) {
    const found = scopes.get(node) && scopes.get(node).get(name);
    if (!found) continue;
    switch (found.kind) {
      case K.ImportSpecifier: case K.ImportClause: return ["named import", moduleOf(found)];
      case K.NamespaceImport: return ["namespace import", moduleOf(found)];
      case K.ImportEqualsDeclaration: return ["namespace import", ""];
      case K.Parameter: return [found.type ? "parameter with type" : "parameter without type", ""];
      case K.VariableDeclaration: {
        const top = found.parent && found.parent.parent && ts.isVariableStatement(found.parent.parent) && ts.isSourceFile(found.parent.parent.parent);
        if (found.type) return [`${top ? "file's" : "local"} variable with type`, ""];
        if (ts.isForOfStatement(found.parent.parent)) return ["loop variable", ""];
        if (ts.isCatchClause(found.parent)) return ["caught", ""];
        const pattern = ts.isIdentifier(found.name) ? "" : ", taken apart";
        const kind = valueKind(found.initializer);
        const source = kind === "require" ? bare(found.initializer).arguments[0]?.text ?? "" : "";
        return [kind === "require" ? `require${pattern}` : kind === "function" ? "function" : `${top ? "file's" : "local"} variable = ${kind}${pattern}`, source];
      }
      default: return [kindOf(found) || "other", ""];
    }
  }
  return ["not in the file", ""];
}

function moduleOf(node) {
  while (node && !ts.isImportDeclaration(node)) node = node.parent;
  return node ? node.moduleSpecifier.text : "";
}

function receiver(scopes, node) {
  node = bare(node);
  switch (node.kind) {
    case K.ThisKeyword: return ["this", ""];
    case K.SuperKeyword: return ["super", ""];
    case K.Identifier: return binding(scopes, node, node.text);
    case K.CallExpression: return ["result of a call", ""];
    case K.NewExpression: return ["new", ""];
    case K.AwaitExpression: return ["await", ""];
    case K.ElementAccessExpression: return ["element of", ""];
    case K.PropertyAccessExpression: {
      if (node.expression.kind === K.ThisKeyword) return ["field of this", ""];
      let root = node;
      while (ts.isPropertyAccessExpression(root)) root = bare(root.expression);
      const [kind, from] = ts.isIdentifier(root) ? binding(scopes, root, root.text) : ["", ""];
      return kind === "namespace import" ? ["member of a namespace import", from] : ["longer chain", ""];
    }
    default: return ["other expression", ""];
  }
}

function isCallee(node) {
  let at = node;
  while (at.parent && (ts.isNonNullExpression(at.parent) || ts.isParenthesizedExpression(at.parent))) at = at.parent;
  const parent = at.parent;
  if (ts.isCallExpression(parent) && parent.expression === at) return "call";
  if (ts.isNewExpression(parent) && parent.expression === at) return "new";
  if (ts.isTaggedTemplateExpression(parent) && parent.tag === at) return "tagged template";
  if (ts.isDecorator(parent)) return "decorator";
  return "";
}

function roleOf(node) {
  const role = isCallee(node);
  if (role) return role;
  const parent = node.parent;
  if (ts.isTypeNode(parent) || ts.isQualifiedName(parent) || ts.isTypeParameterDeclaration(parent)) return ts.isExpressionWithTypeArguments(parent) ? "base" : "type";
  if (ts.isJsxOpeningLikeElement(parent) || ts.isJsxClosingElement(parent)) return "JSX element";
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return "argument";
  if (ts.isReturnStatement(parent) || ts.isArrowFunction(parent)) return "returned";
  if (ts.isVariableDeclaration(parent) || ts.isPropertyDeclaration(parent)) return "assigned";
  if (ts.isBinaryExpression(parent)) {
    if (parent.operatorToken.kind === K.InstanceOfKeyword) return "instanceof";
    if (parent.operatorToken.kind === K.EqualsToken) return parent.left === node ? "assigned to" : "assigned";
    return "operand";
  }
  if (ts.isPropertyAssignment(parent)) return "value of an object";
  if (ts.isShorthandPropertyAssignment(parent)) return "shorthand of an object";
  if (ts.isArrayLiteralExpression(parent)) return "element of an array";
  if (ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent)) return "receiver";
  if (ts.isConditionalExpression(parent)) return "condition";
  if (ts.isExportSpecifier(parent) || ts.isExportAssignment(parent)) return "exported";
  if (ts.isImportSpecifier(parent) || ts.isImportClause(parent)) return "imported";
  if (ts.isBindingElement(parent)) return "taken apart";
  return "other use";
}

function places(name, text) {
  const kind = /\.[cm]?ts$/.test(name) ? ts.ScriptKind.TS : /\.tsx$/.test(name) ? ts.ScriptKind.TSX : ts.ScriptKind.JSX;
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, kind);
  const scopes = scopesOf(file);
  const at = (position) => {
    const { line, character } = file.getLineAndCharacterOfPosition(position);
    return [line, character];
  };
  const bodies = [], definitions = [], uses = [];
  const walk = (node) => {
    if (ts.isFunctionLike(node) && node.body) bodies.push([...at(node.body.getStart(file)), ...at(node.body.end)]);
    const kind = kindOf(node);
    if (kind) {
      const names = node.name && (ts.isObjectBindingPattern(node.name) || ts.isArrayBindingPattern(node.name)) ? bound(node.name, []) : node.name ? [node.name] : [];
      for (const one of names) definitions.push([...at(one.getStart(file)), kind, one.text || ""]);
      if (!node.name || kind === "constructor") definitions.push([...at(node.getStart(file)), kind, kind]);
    }
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === K.EqualsToken && ts.isPropertyAccessExpression(node.left)) {
      const value = bare(node.right);
      const kind = isFunction(value) ? "assigned function" : value.kind === K.ClassExpression ? "class" : "field";
      definitions.push([...at(node.left.name.getStart(file)), kind, node.left.name.text]);
    }
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      const parent = node.parent;
      let use;
      if (ts.isPropertyAccessExpression(parent) && parent.name === node) {
        use = [roleOf(parent), ...receiver(scopes, parent.expression)];
      } else if (ts.isQualifiedName(parent) && parent.right === node) {
        use = ["type", ...(ts.isIdentifier(parent.left) ? binding(scopes, node, parent.left.text) : ["longer chain", ""])];
      } else if (ts.isBindingElement(parent) && parent.propertyName === node) {
        use = ["taken apart", "other expression", ""];
      } else if (!(parent.name === node && kindOf(parent) && !ts.isShorthandPropertyAssignment(parent))) {
        const [how, from] = binding(scopes, node, node.text);
        use = [roleOf(node), "none: " + how, from];
      }
      if (use) uses.push([...at(node.getStart(file)), ...use]);
    }
    ts.forEachChild(node, walk);
  };
  walk(file);
  return { bodies, definitions, uses };
}

const folder = process.argv[2];
for (const name of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const text = fs.readFileSync(path.join(folder, name), "utf8");
  process.stdout.write(JSON.stringify({ path: name, ...places(name, text) }) + "\n");
}
