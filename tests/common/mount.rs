//! File systems that refuse: small or read-only ones in memory.
#![allow(dead_code, unreachable_pub, missing_docs, clippy::unwrap_used, clippy::print_stderr)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A small or read-only file system in memory, unmounted when dropped. Needs root.
pub struct Mount(pub PathBuf);

impl Mount {
    /// `None`, with a word, where nothing can be mounted. On the machines that decide about a change it must be possible.
    pub fn tmpfs(size: &str) -> Option<Self> {
        let place = tempfile::tempdir().unwrap().keep();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={size}"), "none"]).arg(&place).stderr(Stdio::null());
        if mount.status().is_ok_and(|status| status.success()) {
            return Some(Self(place));
        }
        fs::remove_dir(&place).unwrap();
        let is_root = rustix::process::geteuid().is_root();
        assert!(!is_root || std::env::var_os("CI").is_none(), "root cannot mount a tmpfs here: run this where it can");
        eprintln!("skipped: mounting a file system needs root");
        None
    }

    pub fn read_only(&self) {
        let status = Command::new("mount").args(["-o", "remount,ro"]).arg(&self.0).status().unwrap();
        assert!(status.success());
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
        let _ = fs::remove_dir(&self.0);
    }
}

/// Writes until nothing fits any more.
pub fn fill(dir: &Path) {
    let mut junk = fs::File::create(dir.join("junk")).unwrap();
    while std::io::Write::write_all(&mut junk, &[b'x'; 512]).is_ok() {}
}
