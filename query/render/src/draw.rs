//! Graphs as diagrams: Mermaid, Graphviz and SVG. Vectors as images: heat map and plot.

use std::fmt::Write;

use sextant_api::requests::DrawFormat;
use sextant_api::responses::{Matrix, PlotAnswer};
use sextant_drawing::{Drawing, Graph, escape, svg};

/// Returns a graph as text, if it is drawn: Mermaid, Graphviz, or the SVG of its drawing.
pub(crate) fn graph(draw: DrawFormat, graph: impl FnOnce() -> Graph, drawing: Option<&Drawing>) -> Option<String> {
    match draw {
        DrawFormat::Text => None,
        DrawFormat::Mermaid => Some(sextant_drawing::mermaid(&graph())),
        DrawFormat::Dot => Some(sextant_drawing::dot(&graph())),
        // Of several indexes, those that know nothing of it have no picture.
        DrawFormat::Svg => Some(drawing.filter(|drawing| !drawing.is_empty()).map(svg).unwrap_or_default()),
    }
}

/// Half the width and height of the image of a plot.
const CENTRE: f64 = 450.0;
/// The width and height of a cell of a heat map.
const CELL: f64 = 26.0;
/// The width of a character of a label.
const CHARACTER: f64 = 6.5;

/// Returns a heat map: a cell for each pair, darker the larger the cosine, with the value as its title.
pub(crate) fn heat_map_svg(matrix: &Matrix) -> String {
    let count = matrix.names.len();
    let longest = matrix.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let label = longest as f64 * CHARACTER + 12.0;
    let (width, height) = (label + count as f64 * CELL + 12.0, label + count as f64 * CELL + 12.0);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"11\">\n"
    );
    let _ = writeln!(out, "<rect width=\"{width:.0}\" height=\"{height:.0}\" fill=\"#ffffff\"/>");
    // The lightest cell is the smallest cosine, because the files of one project are all somewhat alike.
    let cosines = || matrix.cosines.iter().enumerate().flat_map(|(n, row)| row.iter().take(n));
    let (min, max) = cosines().fold((f32::MAX, f32::MIN), |(min, max), &c| (min.min(c), max.max(c)));
    for (row, name) in matrix.names.iter().enumerate() {
        let y = label + row as f64 * CELL;
        let middle = y + CELL / 2.0;
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{middle:.1}\" text-anchor=\"end\" dominant-baseline=\"middle\">{}</text>",
            label - 6.0,
            escape(name)
        );
        let _ = writeln!(
            out,
            "<text transform=\"translate({middle:.1} {:.1}) rotate(-90)\" dominant-baseline=\"middle\">{}</text>",
            label - 6.0,
            escape(name)
        );
        for (column, &cosine) in matrix.cosines[row].iter().enumerate() {
            let share = if max > min { ((cosine - min) / (max - min)).clamp(0.0, 1.0) } else { 1.0 };
            let opacity = if row == column { 0.0 } else { 0.06 + 0.94 * f64::from(share) };
            let _ = writeln!(
                out,
                "<rect x=\"{:.1}\" y=\"{y:.1}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"#225588\" fill-opacity=\"{opacity:.2}\" stroke=\"#ffffff\"><title>{} and {}: {cosine:.2}</title></rect>",
                label + column as f64 * CELL,
                escape(name),
                escape(&matrix.names[column])
            );
        }
    }
    out.push_str("</svg>\n");
    out
}

/// The colours of folders in a plot: those that colour-blind people can tell apart (Paul Tol, "bright"). The folders with
/// the most files have one each; the others share the last.
const COLOURS: [&str; 7] = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb"];

/// Returns the files as points, coloured by the folders that distinguish them, with a legend.
pub(crate) fn plot_svg(plot: &PlotAnswer) -> String {
    let size = 2.0 * CENTRE;
    let (legend, radius) = (260.0, CENTRE - 20.0);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0} {size:.0}\" font-family=\"sans-serif\" font-size=\"11\">\n",
        size + legend
    );
    let _ = writeln!(out, "<rect width=\"{:.0}\" height=\"{size:.0}\" fill=\"#ffffff\"/>", size + legend);
    let folders = folders_of(plot);
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for folder in &folders {
        match counts.iter_mut().find(|(name, _)| name == folder) {
            Some((_, count)) => *count += 1,
            None => counts.push((folder, 1)),
        }
    }
    counts.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
    let colour =
        |folder: &str| COLOURS[counts.iter().position(|&(name, _)| name == folder).unwrap_or(0).min(COLOURS.len() - 1)];
    let far = plot.points.iter().flat_map(|point| [point.x.abs(), point.y.abs()]).fold(1e-6_f32, f32::max);
    for (point, folder) in plot.points.iter().zip(&folders) {
        let at = |value: f32| f64::from(value / far) * radius;
        let _ = writeln!(
            out,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"{}\" fill-opacity=\"0.75\"><title>{}</title></circle>",
            CENTRE + at(point.x),
            CENTRE - at(point.y),
            colour(folder),
            escape(&point.file.path)
        );
    }
    let shown = counts.len().min(COLOURS.len());
    for (n, &(name, count)) in counts.iter().take(shown).enumerate() {
        let others = n + 1 == shown && counts.len() > shown;
        let rest: usize = counts[n..].iter().map(|(_, count)| count).sum();
        let label = if others { format!("others ({rest})") } else { format!("{name} ({count})") };
        let y = 30.0 + 20.0 * n as f64;
        let _ = writeln!(out, "<circle cx=\"{:.0}\" cy=\"{y:.0}\" r=\"5\" fill=\"{}\"/>", size + 10.0, COLOURS[n]);
        let _ = writeln!(
            out,
            "<text x=\"{:.0}\" y=\"{y:.0}\" dominant-baseline=\"middle\">{}</text>",
            size + 22.0,
            escape(&label)
        );
    }
    let [x, y] = plot.explained.map(|share| 100.0 * share);
    let _ = writeln!(
        out,
        "<text x=\"10\" y=\"{:.0}\" fill=\"#666666\">principal components: {x:.0} % and {y:.0} % of the variance</text>",
        size - 10.0
    );
    out.push_str("</svg>\n");
    out
}

/// The folder of each point, down to the first level at which there are several.
fn folders_of(plot: &PlotAnswer) -> Vec<String> {
    let paths: Vec<Vec<&str>> = plot
        .points
        .iter()
        .map(|point| std::iter::once(point.file.repo.as_str()).chain(point.file.path.split('/')).collect())
        .collect();
    let folder = |parts: &[&str], level: usize| parts[..parts.len().saturating_sub(1).min(level)].join("/");
    let deepest = paths.iter().map(Vec::len).max().unwrap_or(0);
    let several = (1..=deepest).find(|&level| {
        let first = paths.first().map(|parts| folder(parts, level));
        paths.iter().any(|parts| Some(folder(parts, level)) != first)
    });
    paths.iter().map(|parts| folder(parts, several.unwrap_or(1))).collect()
}
