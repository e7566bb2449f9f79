//! Exports under other names, and modules with stubs beside them.

use super::{assert_has, assert_lacks, edges};

#[test]
fn typescript_exports_under_other_names_and_types_of_values() {
    let edges = edges(
        "//- src/types.ts
export class Text {
  parse(a: string) { return a; }
  static create = (): Text => new Text();
}
export class Other { parse(a: string) { return a; } pipe() {} }
const textType = Text.create;
function objectType(): Text { return new Text(); }
export { textType as text, objectType as object };
//- src/external.ts
export * from './types';
//- src/index.ts
import * as t from './external';
export * from './external';
export { t };
//- src/sched.ts
export class Cold<T> { pipe(): Cold<T> { return this; } }
export class Sched {
  make<T>(a: string): Cold<T> { return new Cold<T>(); }
  run<T>(callback: (helpers: Helpers) => T): T { return callback({} as Helpers); }
}
function helper(): Cold<number> { return new Cold(); }
interface Helpers {
  cold: typeof Sched.prototype.make;
  other: typeof helper;
}
//- src/main.ts
import * as t from './index';
import { t as named } from './index';
import { Sched } from './sched';
export function space() { t.text().parse('a'); t.object(); }
export function again() { named.object().parse('a'); }
export function run(s: Sched) {
  s.run(({ cold }) => cold('a').pipe());
}
export function others(s: Sched) {
  s.run(({ other }) => other().pipe());
}
export function apply(s: Sched) { Sched.prototype.make.call(s, 'a'); }
",
    );
    assert_has(
        &edges,
        &[
            "src/main.ts:space -call-> src/types.ts:textType (import)",
            "src/main.ts:space -call-> src/types.ts:objectType (import)",
            "src/main.ts:space -call-> src/types.ts:Text.parse (receiver)",
            "src/main.ts:again -call-> src/types.ts:objectType (import)",
            "src/main.ts:again -call-> src/types.ts:Text.parse (receiver)",
            "src/main.ts:run -call-> src/sched.ts:Cold.pipe (receiver)",
            "src/main.ts:others -call-> src/sched.ts:Cold.pipe (receiver)",
            "src/main.ts:apply -reference-> src/sched.ts:Sched.make (receiver)",
        ],
    );
}

#[test]
fn stubs_declare_what_modules_define() {
    let edges = edges(
        "//- pkg/__init__.py
from pkg.checks import inside
//- pkg/checks.py
def inside(options): return Inside(options)
class Inside: pass
//- pkg/checks.pyi
def inside(options: list) -> Inside: ...
def declared(options: list) -> Inside: ...
class Inside: ...
//- tests/test_checks.py
import pkg
from pkg.checks import inside, declared
def check():
    inside(1)
    declared(1)
    pkg.inside(2)
//- lib/http.js
export class Client { get() {} }
export function make() { return new Client(); }
//- lib/http.d.ts
export declare class Client { get(): void; }
export declare function make(): Client;
//- lib/use.js
import { make } from './http';
export function use() { make().get(); }
",
    );
    assert_has(
        &edges,
        &[
            "tests/test_checks.py:check -call-> pkg/checks.py:inside (import)",
            "tests/test_checks.py:check -call-> pkg/checks.pyi:declared (import)",
            "lib/use.js:use -call-> lib/http.js:make (import)",
            "lib/use.js:use -call-> lib/http.js:Client.get (receiver)",
        ],
    );
    assert_lacks(&edges, &["check -call-> pkg/checks.pyi:inside"]);
}
