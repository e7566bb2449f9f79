//! Keys and signatures, as minisign has them.

use std::io::Cursor;
use std::path::Path;

use anyhow::{Context, bail};
use minisign::{KeyPair, SecretKey, SecretKeyBox};

/// The variable that holds the password of a key.
pub(crate) const PASSWORD: &str = "SEXTANT_SIGN_PASSWORD";

#[expect(clippy::disallowed_methods, reason = "a password comes by the environment and by no command line")]
fn password() -> Option<String> {
    std::env::var(PASSWORD).ok().filter(|password| !password.is_empty())
}

/// Makes a pair of keys: the secret one in `file`, encrypted where there is a password, the public one beside it, with the ending `pub`. Gives
/// the public one's text.
pub(crate) fn generate(file: &Path) -> anyhow::Result<String> {
    if file.exists() {
        bail!("{} is there already; a key is never replaced", file.display());
    }
    let pair = match password() {
        Some(password) => KeyPair::generate_encrypted_keypair(Some(password))?,
        None => KeyPair::generate_unencrypted_keypair()?,
    };
    let mut options = fs_err::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use fs_err::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let secret = pair.sk.to_box(None)?.into_string();
    std::io::Write::write_all(&mut options.open(file)?, secret.as_bytes())?;
    let public = file.with_extension("pub");
    fs_err::write(&public, pair.pk.to_box()?.into_string())?;
    Ok(pair.pk.to_base64())
}

/// The text of a signature over bytes.
pub(crate) fn sign(file: &Path, bytes: &[u8], comment: &str) -> anyhow::Result<String> {
    let text = fs_err::read_to_string(file)?;
    let key = secret(&text).with_context(|| format!("the key {} cannot be used", file.display()))?;
    let signature = minisign::sign(None, &key, Cursor::new(bytes), Some(comment), Some("signature of a Sextant pack"))?;
    Ok(signature.into_string())
}

fn secret(text: &str) -> anyhow::Result<SecretKey> {
    let key = || SecretKeyBox::from_string(text);
    match password() {
        Some(password) => Ok(key()?.into_secret_key(Some(password))?),
        None => key()?
            .into_unencrypted_secret_key()
            .with_context(|| format!("it may be encrypted, and {PASSWORD} is not set")),
    }
}
