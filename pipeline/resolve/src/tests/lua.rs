//! Names that are other names of members.

use super::{assert_has, assert_lacks, edges};

#[test]
fn a_name_may_be_another_name_of_a_function() {
    let edges = edges(
        "//- pl/tablex.lua
local tablex = {}
function tablex.imap(f) end
function tablex.map(f) end
function tablex.one(f) end
function tablex.print(f) print(f) end
return tablex
//- pl/array2d.lua
local tablex = require 'pl.tablex'
local imap, map = tablex.imap, tablex.map
local one = tablex.one
local array2d = {}
function array2d.column(a, j) return imap(a, j) end
function array2d.row(a) return map(a) end
function array2d.single(a) return one(a) end
function array2d.shadowed(one) return one(1) end
return array2d
",
    );
    assert_has(
        &edges,
        &[
            "pl/array2d.lua:array2d.column -call-> pl/tablex.lua:tablex.imap (import)",
            "pl/array2d.lua:array2d.row -call-> pl/tablex.lua:tablex.map (import)",
            "pl/array2d.lua:array2d.single -call-> pl/tablex.lua:tablex.one (import)",
        ],
    );
    assert_lacks(&edges, &["shadowed -call-> pl", "tablex.print -call-> pl"]);
}

#[test]
fn one_name_of_a_module_is_not_the_module() {
    let edges = edges(
        "//- config.lua
local M = {}
M.__index = M
function M.get() end
return M
//- main.lua
local config = require('config').config
local get = require('config').get
function run() return get() end
",
    );
    assert_has(
        &edges,
        &["main.lua -import-> config.lua:M.get (import)", "main.lua:run -call-> config.lua:M.get (import)"],
    );
    assert_lacks(&edges, &["config.lua:M (import)"]);
}

#[test]
fn an_object_has_the_methods_of_its_class() {
    let edges = edges(
        "//- queue.lua
local Queue = {}
Queue.__index = Queue
function Queue.new() return setmetatable({}, Queue) end
function Queue:push(x) return self:check(x) end
function Queue:check(x) end
return Queue
//- other.lua
local Other = {}
Other.__index = Other
function Other:push(x) end
return Other
//- main.lua
local Queue = require('queue')
local M = {}
function M.run()
  local q = Queue.new()
  q:push(1)
end
---@param q Other
function M.typed(q) q:push(1) end
return M
",
    );
    assert_has(
        &edges,
        &[
            "queue.lua:Queue.push -call-> queue.lua:Queue.check (scope)",
            "main.lua:M.run -call-> queue.lua:Queue.new (import)",
            "main.lua:M.run -call-> queue.lua:Queue.push (receiver)",
        ],
    );
}
