//! Elements of collections: loops, subscripts and methods. Every method called here is in two types, so that its name
//! alone says nothing.

use super::{assert_has, assert_lacks, edges};

#[test]
fn go_slices_maps_and_named_collections() {
    let edges = edges(
        "//- go.mod
module example.com/pool/v2
//- pool.go
package pool

type Host struct{}

func (h *Host) Open() {}

type Door struct{}

func (d *Door) Open() {}

func Make() *Host { return nil }
//- use/use.go
package use

import \"example.com/pool/v2\"

type Hosts []*pool.Host

func (h Hosts) Len() int { return 0 }

func Each(hosts Hosts, named map[string]*pool.Door) {
	for _, host := range hosts {
		host.Open()
	}
	for _, door := range named {
		door.Open()
	}
	hosts.Len()
}

func First(hosts []pool.Host, named map[string]pool.Door) {
	hosts[0].Open()
	named[\"a\"].Open()
	pool.Make().Open()
}
",
    );
    assert_has(
        &edges,
        &[
            "use/use.go:Each -call-> pool.go:Host.Open (receiver)",
            "use/use.go:Each -call-> pool.go:Door.Open (receiver)",
            "use/use.go:Each -call-> use/use.go:Hosts.Len (receiver)",
            "use/use.go:First -call-> pool.go:Host.Open (receiver)",
            "use/use.go:First -call-> pool.go:Door.Open (receiver)",
            "use/use.go:First -call-> pool.go:Make (import)",
        ],
    );
}

#[test]
fn python_loops_comprehensions_and_entries() {
    let edges = edges(
        "//- shop.py
class Item:
    def price(self): ...
class Crate:
    def price(self): ...
def plain(items: list[Item], by_name: dict[str, Crate]):
    for item in items:
        item.price()
    by_name['a'].price()
def numbered(items: Sequence[Item]):
    for n, item in enumerate(items):
        item.price()
def valued(by_name: dict[str, Crate]):
    for crate in by_name.values():
        crate.price()
def paired(by_name: dict[str, Crate]):
    for name, crate in by_name.items():
        crate.price()
def summed(items: list[Item]):
    return sum(one.price() for one in sorted(items))
def keys(by_name: dict[str, Crate]):
    for name in by_name:
        name.price()
def parts(pair: tuple[Item, Crate]):
    pair[0].price()
",
    );
    assert_has(
        &edges,
        &[
            "shop.py:plain -call-> shop.py:Item.price (receiver)",
            "shop.py:plain -call-> shop.py:Crate.price (receiver)",
            "shop.py:numbered -call-> shop.py:Item.price (receiver)",
            "shop.py:valued -call-> shop.py:Crate.price (receiver)",
            "shop.py:paired -call-> shop.py:Crate.price (receiver)",
            "shop.py:summed -call-> shop.py:Item.price (receiver)",
        ],
    );
    // Keys of a map, and parts of a tuple, are not the last argument.
    assert_lacks(
        &edges,
        &["keys -call-> shop.py:Crate.price (receiver)", "parts -call-> shop.py:Crate.price (receiver)"],
    );
}

#[test]
fn loops_and_methods_of_collections() {
    let edges = edges(
        "//- shop.ts
class Item { price() {} }
class Crate { price() {} }
function loop(items: Item[]) { for (const item of items) { item.price(); } }
function called(crates: Array<Crate>) { crates.filter(Boolean).forEach((crate) => crate.price()); }
function entry(byName: Map<string, Crate>) { byName.get('a')!.price(); }
//- Shop.java
class Good { void price() {} }
class Box { void price() {} }
class Shop {
    void loop(List<Good> goods) { for (var good : goods) { good.price(); } }
    void called(List<Box> boxes) { boxes.stream().filter(b -> true).forEach(box -> box.price()); }
    void entry(Map<String, Box> boxes) { boxes.get(\"a\").price(); }
}
//- shop.rs
struct Part;
impl Part { fn price(&self) {} }
struct Tray;
impl Tray { fn price(&self) {} }
fn plain(parts: &[Part]) { for part in parts { part.price(); } }
fn numbered(trays: Vec<Tray>) { for (n, tray) in trays.iter().enumerate() { tray.price(); } }
fn closure(parts: &Vec<Part>) { parts.iter().rev().for_each(|part| part.price()); }
fn entry(trays: &HashMap<String, Tray>) { trays.get(\"a\").unwrap().price(); trays.values().next().unwrap().price(); }
",
    );
    assert_has(
        &edges,
        &[
            "shop.ts:loop -call-> shop.ts:Item.price (receiver)",
            "shop.ts:called -call-> shop.ts:Crate.price (receiver)",
            "shop.ts:entry -call-> shop.ts:Crate.price (receiver)",
            "Shop.java:Shop.loop -call-> Shop.java:Good.price (receiver)",
            "Shop.java:Shop.called -call-> Shop.java:Box.price (receiver)",
            "Shop.java:Shop.entry -call-> Shop.java:Box.price (receiver)",
            "shop.rs:plain -call-> shop.rs:Part::price (receiver)",
            "shop.rs:numbered -call-> shop.rs:Tray::price (receiver)",
            "shop.rs:closure -call-> shop.rs:Part::price (receiver)",
            "shop.rs:entry -call-> shop.rs:Tray::price (receiver)",
        ],
    );
}

#[test]
fn loops_of_further_languages() {
    let edges = edges(
        "//- Shop.cs
class Good { public void Price() {} }
class Box { public void Price() {} }
class Shop {
    void Loop(List<Good> goods) { foreach (var good in goods) { good.Price(); } }
    void Entry(Dictionary<string, Box> boxes) { boxes[\"a\"].Price(); }
}
//- shop.kt
class Part {
    fun price() {}
}
class Tray {
    fun price() {}
}
fun loop(parts: List<Part>) { for (part in parts) { part.price() } }
fun first(trays: List<Tray>) { trays.first().price() }
//- shop.cpp
#include <vector>
struct Bolt { void price() {} };
struct Gear { void price() {} };
void loop(std::vector<Bolt> bolts) { for (auto& bolt : bolts) { bolt.price(); } }
void entry(std::vector<Gear> gears) { gears[0].price(); gears.back().price(); }
",
    );
    assert_has(
        &edges,
        &[
            "Shop.cs:Shop.Loop -call-> Shop.cs:Good.Price (receiver)",
            "Shop.cs:Shop.Entry -call-> Shop.cs:Box.Price (receiver)",
            "shop.kt:loop -call-> shop.kt:Part.price (receiver)",
            "shop.kt:first -call-> shop.kt:Tray.price (receiver)",
            "shop.cpp:loop -call-> shop.cpp:Bolt::price (receiver)",
            "shop.cpp:entry -call-> shop.cpp:Gear::price (receiver)",
        ],
    );
}

#[test]
fn type_arguments_of_own_types() {
    let edges = edges(
        "//- store.ts
export class Store<K, T> {
  first!: T
  find(key: K): Promise<T> { return null! }
  all(): T[] { return [] }
}
export class Door { open() {} }
export class Lid { open() {} }
export async function find(doors: Store<string, Door>) {
  const door = await doors.find('a')
  door.open()
}
export function first(lids: Store<string, Lid>) {
  lids.first.open()
}
export function all(lids: Store<string, Lid>) {
  for (const lid of lids.all()) {
    lid.open()
  }
}
export class State { go() {} }
export interface Holder<State> {
  state: State
}
export function unknown(some: Store<string, any>) {
  some.first.open()
}
//- src/lib.rs
pub struct Stack<T> { items: Vec<T> }
impl<T> Stack<T> {
    pub fn pop(&mut self) -> Option<T> { self.items.pop() }
}
pub struct Door;
impl Door { pub fn open(&self) {} }
pub struct Lid;
impl Lid { pub fn open(&self) {} }
pub fn pop(mut stack: Stack<Lid>) {
    stack.pop().unwrap().open();
}
",
    );
    assert_has(
        &edges,
        &[
            "store.ts:find -call-> store.ts:Door.open (receiver)",
            "store.ts:first -call-> store.ts:Lid.open (receiver)",
            "store.ts:all -call-> store.ts:Lid.open (receiver)",
            "src/lib.rs:pop -call-> src/lib.rs:Lid::open (receiver)",
        ],
    );
    assert_lacks(
        &edges,
        &[
            "store.ts:unknown -call-> store.ts:Lid.open (receiver)",
            "Holder -type-> store.ts:State",
            "Holder.state -type-> store.ts:State",
        ],
    );
}
