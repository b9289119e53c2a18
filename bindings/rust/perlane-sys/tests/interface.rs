// SPDX-License-Identifier: MIT

/// The type of a declaration in C, as Rust has it: `const float *const *a` is `*const *const f32`.
fn translated(declaration: &str) -> String {
    let (constant, rest) = match declaration.strip_prefix("const ") {
        Some(rest) => ("const", rest),
        None => ("mut", declaration),
    };
    let (name, pointers) = rest.split_once(' ').unwrap();
    let name = match name {
        "float" => "f32",
        "double" => "f64",
        "char" => "c_char",
        "void" => "c_void",
        "int" | "perlane_status" | "perlane_isa" => "c_int",
        "size_t" => "usize",
        "uint8_t" | "uint16_t" | "uint32_t" | "uint64_t" => &name.replace("uint", "u").replace("_t", ""),
        "int32_t" | "int64_t" => &name.replace("int", "i").replace("_t", ""),
        other => other,
    };
    match pointers.matches('*').count() {
        0 => name.into(),
        1 => format!("*{constant} {name}"),
        _ => format!("*const *{constant} {name}"),
    }
}

#[test]
fn declarations_are_those_of_the_headers() {
    let headers = include_str!("../../../../tests/vectors/interface.txt");
    let (mut ours, mut known) = (include_str!("../src/lib.rs").lines(), 0);
    ours.find(|line| line.starts_with("extern")).unwrap();
    for line in ours.filter_map(|line| line.trim().strip_prefix("pub fn ")) {
        let (name, rest) = line.split_once('(').unwrap();
        let (parameters, result) = rest.trim_end_matches(';').split_once(") -> ").unwrap();
        let types = parameters.split(", ").filter_map(|each| Some(each.split_once(": ")?.1.to_string()));
        let sign = format!("{name}(");
        let header = headers.lines().find(|line| line.contains(&sign) && !line.contains(" = ")).expect(name);
        let (before, after) = header.split_once(&sign).unwrap();
        let wanted = after.trim_end_matches(')').split(", ").filter(|each| *each != "void").map(translated);
        assert_eq!(types.collect::<Vec<_>>(), wanted.collect::<Vec<_>>(), "{name}");
        assert_eq!(result, translated(before), "{name}");
        known += 1;
    }
    assert!(known > 0);
}
