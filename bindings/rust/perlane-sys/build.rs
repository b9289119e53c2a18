// SPDX-License-Identifier: MIT

#[cfg(feature = "bundled")]
fn main() {
    println!("cargo:rerun-if-changed=c");
    assert!(
        std::path::Path::new("c/perlane.c").exists(),
        "perlane's C source is not in c/: run scripts/amalgamate bindings/rust/perlane-sys/c"
    );
    // Without optimization kernels are 30 to 250 times slower, so a debug build has them optimised.
    let mut build = cc::Build::new();
    if std::env::var("CARGO_CFG_TARGET_FEATURE").map_or(false, |of| of.contains("simd128")) {
        build.flag("-msimd128"); // WebAssembly's kernels, besides the scalar ones
    }
    build.file("c/perlane.c").std("c11").opt_level(2).warnings(false).compile("perlane");
}

#[cfg(not(feature = "bundled"))]
fn main() {
    println!("cargo:rerun-if-env-changed=PERLANE_LIBRARY_DIR");
    if let Ok(folder) = std::env::var("PERLANE_LIBRARY_DIR") {
        println!("cargo:rustc-link-search=native={folder}");
    }
    println!("cargo:rustc-link-lib=perlane");
}
