//! Files that a shell reads.

use super::{assert_has, assert_lacks, edges};

#[test]
fn functions_of_files_that_are_read() {
    let edges = edges(
        "//- tests/unit/test_helper.bash
create_app() { :; }
//- plugin/tests/test_helper.bash
create_app() { :; }
//- tests/unit/apps.bats
load test_helper
run_it() { create_app; }
//- lib/common/functions.sh
log() { :; }
//- lib/other.sh
log() { :; }
//- bin/start
#!/bin/bash
source \"$ROOT/common/functions.sh\"
main() { log started; }
",
    );
    assert_has(
        &edges,
        &[
            "tests/unit/apps.bats -import-> tests/unit/test_helper.bash (import)",
            "tests/unit/apps.bats:run_it -call-> tests/unit/test_helper.bash:create_app (import)",
            "bin/start:main -call-> lib/common/functions.sh:log (import)",
        ],
    );
    assert_lacks(&edges, &["-call-> plugin", "-call-> lib/other.sh"]);
}
