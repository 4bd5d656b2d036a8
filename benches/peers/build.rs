//! With the feature `tdoku`: link `libtdoku.a` from the directory in `TDOKU_LIB_DIR` (and the C++ runtime it needs).

fn main() {
    println!("cargo::rerun-if-env-changed=TDOKU_LIB_DIR");
    if std::env::var_os("CARGO_FEATURE_TDOKU").is_some() {
        if let Ok(dir) = std::env::var("TDOKU_LIB_DIR") {
            println!("cargo::rustc-link-search=native={dir}");
        }
        println!("cargo::rustc-link-lib=static=tdoku");
        println!("cargo::rustc-link-lib=dylib=stdc++");
    }
}
