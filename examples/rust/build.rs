// SPDX-License-Identifier: MIT

// Links with the library in the folder that PERLANE_LIBRARY_DIR names, static or shared.
fn main() {
    println!("cargo:rerun-if-env-changed=PERLANE_LIBRARY_DIR");
    if let Ok(folder) = std::env::var("PERLANE_LIBRARY_DIR") {
        println!("cargo:rustc-link-search=native={}", folder);
    }
    println!("cargo:rustc-link-lib=perlane");
}
