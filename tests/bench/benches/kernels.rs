//! Micro-benchmarks of the kernels: `cargo bench --workspace --bench kernels`.

use std::hint::black_box;

use criterion::Criterion;

fn kernels(criterion: &mut Criterion) {
    let scratch = tempfile::tempdir().expect("the temporary folder can be created");
    for mut kernel in sextant_bench::kernels(scratch.path()).expect("the inputs can be read") {
        let mut group = criterion.benchmark_group(kernel.name);
        group.bench_function("kernel", |bencher| bencher.iter(|| black_box((kernel.run)())));
        group.bench_function("reference", |bencher| bencher.iter(|| black_box((kernel.reference)())));
        group.finish();
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    kernels(&mut criterion);
    criterion.final_summary();
}
