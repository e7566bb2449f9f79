//! Keys and signatures in minisign's format.

use std::io::Cursor;
use std::path::Path;

use crate::{Error, Result};
use minisign::{KeyPair, SecretKey, SecretKeyBox};

/// Environment variable with the password of a secret key.
pub const PASSWORD_VARIABLE: &str = "SEXTANT_SIGN_PASSWORD";

#[expect(clippy::disallowed_methods, reason = "passwords are passed in the environment, never on a command line")]
fn password() -> Option<String> {
    std::env::var(PASSWORD_VARIABLE).ok().filter(|password| !password.is_empty())
}

/// Generates a key pair: the secret key in `file`, encrypted if there is a password, and the public key next to it with
/// the extension `pub`. Returns the public key as text.
///
/// # Errors
/// The file exists, or cannot be written.
pub fn generate(file: &Path) -> Result<String> {
    let refused = |what: &dyn std::fmt::Display| unusable(file, what);
    if file.exists() {
        return Err(refused(&"the file exists; a key is never replaced"));
    }
    let pair = match password() {
        Some(password) => KeyPair::generate_encrypted_keypair(Some(password)),
        None => KeyPair::generate_unencrypted_keypair(),
    };
    let pair = pair.map_err(|error| refused(&error))?;
    let mut options = fs_err::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use fs_err::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let secret = pair.sk.to_box(None).map_err(|error| refused(&error))?.into_string();
    std::io::Write::write_all(&mut options.open(file)?, secret.as_bytes())?;
    let public = file.with_extension("pub");
    fs_err::write(&public, pair.pk.to_box().map_err(|error| refused(&error))?.into_string())?;
    Ok(pair.pk.to_base64())
}

/// Signs bytes; returns the text of the signature.
///
/// # Errors
/// The key cannot be read, or needs a password that is not set.
pub fn sign(file: &Path, bytes: &[u8], comment: &str) -> Result<String> {
    let text = fs_err::read_to_string(file)?;
    let key = parse_secret_key(&text).map_err(|what| unusable(file, &what))?;
    let signature = minisign::sign(None, &key, Cursor::new(bytes), Some(comment), Some("signature of a Sextant pack"));
    Ok(signature.map_err(|error| unusable(file, &error))?.into_string())
}

fn unusable(file: &Path, what: &dyn std::fmt::Display) -> Error {
    Error::Key { key: file.display().to_string(), what: what.to_string() }
}

fn parse_secret_key(text: &str) -> Result<SecretKey, String> {
    let key = SecretKeyBox::from_string(text).map_err(|error| error.to_string())?;
    match password() {
        Some(password) => key.into_secret_key(Some(password)).map_err(|error| error.to_string()),
        None => key
            .into_unencrypted_secret_key()
            .map_err(|error| format!("it may be encrypted, and {PASSWORD_VARIABLE} is not set: {error}")),
    }
}
