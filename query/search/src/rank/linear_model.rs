//! Linear models: the score of something is the weighted sum of its features, so that it explains itself.

/// Defines the features of something, and the linear model over them. Each feature names its weight for questions and its
/// weight for reports. Their order is that of `values` and of the contributions.
macro_rules! linear_model {
    (
        $(#[doc = $features_doc:literal])* $Features:ident;
        $(#[doc = $model_doc:literal])* $Model:ident($OfQuestions:ident, $OfReports:ident);
        $($(#[doc = $doc:literal])* $name:ident: $of_question:ident, $of_report:ident,)*
    ) => {
        $(#[doc = $features_doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct $Features {
            $($(#[doc = $doc])* pub $name: f32,)*
        }

        impl $Features {
            /// The names of the features.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name),)*];

            /// The values in the order of the names.
            #[must_use]
            pub const fn values(&self) -> [f32; Self::NAMES.len()] {
                [$(self.$name,)*]
            }
        }

        $(#[doc = $model_doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $Model {
            weights: [f32; $Features::NAMES.len()],
        }

        impl From<&$OfQuestions> for $Model {
            fn from(weights: &$OfQuestions) -> Self {
                Self { weights: [$(weights.$of_question,)*] }
            }
        }

        impl From<&$OfReports> for $Model {
            fn from(weights: &$OfReports) -> Self {
                Self { weights: [$(weights.$of_report,)*] }
            }
        }

        impl $Model {
            /// What each feature adds to the score, in the order of the names.
            #[must_use]
            pub fn contributions(&self, features: &$Features) -> [f32; $Features::NAMES.len()] {
                let mut contributions = features.values();
                contributions.iter_mut().zip(self.weights).for_each(|(value, weight)| *value *= weight);
                contributions
            }

            /// The sum of the contributions. The difference of two scores is the log-odds that the first is the
            /// relevant one.
            #[must_use]
            pub fn score(&self, features: &$Features) -> f32 {
                self.contributions(features).iter().sum()
            }
        }
    };
}

pub(super) use linear_model;
