use proptest::prelude::*;

use super::*;
use crate::extract::file_symbol;

fn symbol(kind: Kind, start: u32, end: u32) -> Symbol {
    Symbol {
        name: "x".to_owned(),
        qualified_name: "x".to_owned(),
        kind,
        lead_line: start,
        start_line: start,
        end_line: end,
        start_byte: 0,
        end_byte: 0,
        name_line: start,
        name_column: 0,
        container: Some(0),
        has_body: true,
        signature: None,
        doc: None,
        exported: true,
        embedded: false,
        chunk: None,
    }
}

fn chunks_of(text: &str, symbols: Vec<Symbol>, blocks: &[Block]) -> (Vec<Chunk>, Vec<Symbol>) {
    let mut all = vec![file_symbol("a.x", text)];
    all.extend(symbols);
    let chunks = chunk(&LineIndex::new(text), &mut all, blocks, &[], &Limits::STANDARD);
    (chunks, all)
}

fn numbered(lines: u32) -> String {
    (1..=lines).map(|n| format!("line {n}\n")).collect()
}

/// Every non-blank line is in the text of exactly one chunk of level 1.
fn assert_covered(text: &str, chunks: &[Chunk]) {
    let mut own: Vec<&str> = chunks
        .iter()
        .filter(|chunk| chunk.level == 1)
        .flat_map(|chunk| chunk.content.lines())
        .filter(|line| !line.trim().is_empty())
        .collect();
    let mut all: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    own.sort_unstable();
    all.sort_unstable();
    assert_eq!(own, all);
}

#[test]
fn members_get_their_own_chunk_below_their_type() {
    let text = numbered(10);
    let (chunks, symbols) =
        chunks_of(&text, vec![symbol(Kind::Class, 2, 9), symbol(Kind::Method, 3, 5), symbol(Kind::Method, 7, 8)], &[]);
    let summary: Vec<_> = chunks.iter().map(|c| (c.kind, c.start_line, c.end_line, c.parent)).collect();
    assert_eq!(
        summary,
        [
            (Kind::Code, 1, 1, None),
            (Kind::Class, 2, 9, None),
            (Kind::Method, 3, 5, Some(1)),
            (Kind::Method, 7, 8, Some(1)),
            (Kind::Code, 10, 10, None),
        ]
    );
    assert_eq!(chunks[1].content, "line 2\nline 6\nline 9\n");
    assert_eq!(symbols[2].chunk, Some(2));
    assert_covered(&text, &chunks);
}

#[test]
fn symbols_on_one_line_share_a_chunk() {
    let text = numbered(3);
    let (chunks, symbols) = chunks_of(
        &text,
        vec![symbol(Kind::Class, 1, 1), symbol(Kind::Method, 1, 1), symbol(Kind::Function, 2, 3)],
        &[],
    );
    assert_eq!(chunks.len(), 2);
    assert_eq!(symbols[2].chunk, Some(0));
    assert_covered(&text, &chunks);
}

#[test]
fn a_line_of_punctuation_joins_its_neighbour() {
    let text = "impl X {\nfn a() {\n}\n}\n\nother text here\n";
    let (chunks, _) = chunks_of(text, vec![symbol(Kind::Method, 2, 3)], &[]);
    let summary: Vec<_> = chunks.iter().map(|c| (c.kind, c.start_line, c.end_line)).collect();
    assert_eq!(summary, [(Kind::Method, 1, 4), (Kind::Code, 6, 6)]);
    assert_covered(text, &chunks);
}

#[test]
fn only_large_functions_are_divided_into_blocks() {
    let block = |start, end| Block { kind: Kind::Loop, start_line: start, end_line: end };
    let blocks = [block(2, 60), block(3, 50), block(4, 40), block(62, 64)];
    let small = chunks_of(&numbered(100), vec![symbol(Kind::Function, 1, 100)], &blocks).0;
    assert_eq!(small.len(), 1);
    let large = chunks_of(&numbered(101), vec![symbol(Kind::Function, 1, 101)], &blocks).0;
    let summary: Vec<_> = large.iter().map(|c| (c.level, c.start_line, c.parent)).collect();
    assert_eq!(summary, [(1, 1, None), (2, 2, Some(0)), (2, 3, Some(1))]);
    let huge = chunks_of(&numbered(501), vec![symbol(Kind::Function, 1, 501)], &blocks).0;
    assert_eq!(huge.len(), 2);
}

#[test]
fn text_without_symbols_is_cut_at_blank_lines() {
    let mut text = numbered(35);
    text.push('\n');
    text.push_str(&numbered(200));
    let mut file = file_symbol("a.txt", &text);
    let chunks = windows(&LineIndex::new(&text), &mut file, &Limits::STANDARD);
    assert_eq!((chunks[0].start_line, chunks[0].end_line), (1, 35));
    assert!(chunks.iter().all(|c| c.end_line - c.start_line < Limits::STANDARD.window_max_lines));
    assert_covered(&text, &chunks);
}

proptest! {
    #[test]
    fn every_line_has_one_owner_for_any_symbols(
        lines in prop::collection::vec("( |[a-z{}]{0,6})", 1..120),
        spans in prop::collection::vec((1_u32..120, 0_u32..60, 0_usize..6, 0_u32..3), 0..20),
    ) {
        let text: String = lines.iter().enumerate()
            .map(|(n, line)| if line.trim().is_empty() { "\n".to_owned() } else { format!("{line}{n}\n") })
            .collect();
        let count = lines.len() as u32;
        let kinds = [Kind::Class, Kind::Method, Kind::Function, Kind::Constant, Kind::Module, Kind::Section];
        let mut symbols: Vec<Symbol> = spans.iter().map(|&(start, len, kind, lead)| {
            let start = start.min(count);
            let mut symbol = symbol(kinds[kind], start, (start + len).min(count));
            symbol.lead_line = start.saturating_sub(lead).max(1);
            symbol
        }).collect();
        symbols.sort_by_key(|s| (s.start_line, std::cmp::Reverse(s.end_line)));
        let (chunks, symbols) = chunks_of(&text, symbols, &[]);
        assert_covered(&text, &chunks);
        for (n, chunk) in chunks.iter().enumerate() {
            prop_assert!(chunk.parent.is_none_or(|parent| (parent as usize) < n));
            prop_assert!(chunk.start_line <= chunk.end_line && chunk.end_line <= count);
        }
        for symbol in symbols.iter().skip(1) {
            prop_assert!(symbol.chunk.is_none_or(|chunk| (chunk as usize) < chunks.len()));
        }
    }
}
