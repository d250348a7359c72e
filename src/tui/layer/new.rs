//! The form of a new memory.

use super::form::{Form, FormField};
use super::lint::Lint;
use crate::memory::{Kind, template};

/// The form of a new memory.
#[derive(Clone, Debug)]
pub struct NewMemory {
    /// The fields.
    pub form: Form,
    /// The type the body's template was made for.
    pub template: Kind,
    /// What is wrong with it as it stands.
    pub lint: Lint,
    /// Whether a save is under way.
    pub saving: bool,
    /// Whether to close with text in it is being asked.
    pub asking: bool,
}

impl Default for NewMemory {
    fn default() -> Self {
        let template = Kind::Feedback;
        let mut form = Form::new("", "", template.word(), &template::skeleton(template));
        form.focus = FormField::Name;
        Self { form, template, lint: Lint::default(), saving: false, asking: false }
    }
}

impl NewMemory {
    /// Whether somebody typed something.
    #[must_use]
    pub fn is_dirty(&self) -> bool {
        !self.form.name_text().is_empty()
            || !self.form.description_text().is_empty()
            || self.form.body_text() != template::skeleton(self.template)
    }

    /// After a key: the template follows the type while nobody wrote in it.
    pub fn follow(&mut self) {
        self.lint.touch();
        if let Some(kind) = self.form.kind().filter(|kind| *kind != self.template) {
            if self.form.body_text() == template::skeleton(self.template) {
                self.form.set_body(&template::skeleton(kind));
            }
            self.template = kind;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_follows_the_type_until_somebody_writes_in_it() {
        let mut new = NewMemory::default();
        assert!(new.form.body_text().contains("**Why:**") && !new.is_dirty());
        new.form.type_word = "user".to_owned();
        new.follow();
        assert_eq!((new.form.body_text().as_str(), new.is_dirty()), ("", false));
        new.form.set_body("They prefer short answers.");
        new.form.type_word = "feedback".to_owned();
        new.follow();
        assert_eq!(new.form.body_text(), "They prefer short answers.");
        assert!(new.is_dirty());
    }
}
