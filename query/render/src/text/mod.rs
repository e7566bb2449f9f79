//! Responses as text for people and models.
//!
//! Answers with locations are written by methods of [`Locations`], which knows how one response writes locations.

mod duplicates;
mod endpoints;
mod explore;
mod graph;
mod grep;
mod hybrid;
mod links;
mod locations;
mod names;
mod overview;
mod review;
mod search;
mod signature;
mod source;
mod stats;
mod vectors;

use std::path::Path;

use sextant_api::responses::{Body, Response};

use locations::Locations;

/// Renders responses as text.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextRenderer<'a> {
    /// The folder whose files are linked (OSC 8); none if the terminal does not support links.
    pub links: Option<&'a Path>,
}

impl TextRenderer<'_> {
    /// Returns a response as text that ends with a line break, or an empty string.
    #[must_use]
    pub fn render(&self, response: &Response) -> String {
        let locations = Locations { one_repo: response.one_repo, links: self.links };
        response.bodies.iter().map(|body| locations.body(body)).collect()
    }
}

impl Locations<'_> {
    fn body(&self, body: &Body) -> String {
        match body {
            Body::Search(answer) => self.search(answer),
            Body::Explore(answer) => self.explore(answer),
            Body::Hybrid(answer) => self.hybrid(answer),
            Body::Definitions(answer) => {
                self.definitions(answer.results.iter().map(|found| &found.definition))
                    + &self.live_only(&answer.live_only)
            }
            Body::References(answer) => self.references(answer),
            Body::Symbols(answer) => self.definitions(&answer.results),
            Body::Hovers(answer) => self.hovers(answer),
            Body::Reach(answer) => self.reach(answer),
            Body::Review(answer) => self.review(answer),
            Body::Path(answer) => self.path(answer),
            Body::Related(answer) => self.related(answer),
            Body::Outline(answer) => self.outline(answer),
            Body::Show(answer) => self.show(answer),
            Body::Grep(answer) => self.grep(answer),
            Body::Context(answer) => self.context(answer),
            Body::Map(answer) => self.map(answer),
            Body::Duplicates(answer) => self.duplicates(answer),
            Body::Endpoints(answer) => self.endpoints(answer),
            Body::Vectors(answer) => self.vectors(answer),
            Body::Stats(answer) => stats::stats(answer),
            Body::NotFound(answer) => {
                answer.mentions.as_ref().map_or_else(String::new, |found| self.mentions(found, ""))
            }
        }
    }
}
