//! The file system a directory lies on: its kind, whether it is a network's, and how much room is left.
//!
//! Locks between machines cannot be relied on, so automatic dreams ask here first. Not its job: what is done about it.

use std::io;
use std::path::Path;

/// Less room than this, in bytes, and nothing can be written down.
pub(super) const NO_ROOM: u64 = 1 << 20;

/// Why nothing can be written in a directory, or where it is to be made, in words that follow its name, with a word for it.
pub(super) fn refusal(directory: &Path) -> Option<(&'static str, String)> {
    if let Err(why) = access(existing(directory)) {
        return Some(("read-only", why));
    }
    let free = room(directory).ok().filter(|free| *free < NO_ROOM)?;
    Some(("full", format!("lies on a disk that is full ({} KB are free)", free >> 10)))
}

/// Bytes a person can still write to the file system of a directory.
///
/// # Errors
/// When the system does not say.
pub fn room(directory: &Path) -> io::Result<u64> {
    fs2::available_space(existing(directory))
}

/// Why a directory cannot be used, in words that follow its name.
pub(super) fn access(directory: &Path) -> Result<(), String> {
    #[cfg(unix)]
    {
        use rustix::fs::Access;
        let may = |access| rustix::fs::access(directory, access).map_err(std::io::Error::from);
        may(Access::READ_OK | Access::EXEC_OK).map_err(|error| format!("cannot be read: {error}"))?;
        may(Access::WRITE_OK).map_err(|error| format!("cannot be written: {error}"))
    }
    #[cfg(not(unix))]
    match std::fs::metadata(directory) {
        Ok(found) if found.permissions().readonly() => Err("cannot be written".to_owned()),
        Ok(_) => Ok(()),
        Err(error) => Err(format!("cannot be read: {error}")),
    }
}

/// The kind of a network file system that a directory lies on, `nfs`; `None`: a local one, or one that does not say.
#[must_use]
pub fn network(directory: &Path) -> Option<String> {
    platform::network(existing(directory))
}

/// The nearest directory above that is there: what does not exist yet will lie on its file system.
fn existing(directory: &Path) -> &Path {
    directory.ancestors().find(|ancestor| ancestor.exists()).unwrap_or(directory)
}

#[cfg(target_os = "linux")]
mod platform {
    use std::path::Path;

    /// What `statfs` says of the file systems that other machines can write to at the same time.
    const KINDS: [(u64, &str); 16] = [
        (0x6969, "nfs"),
        (0x517B, "smb"),
        (0xFF53_4D42, "cifs"),
        (0xFE53_4D42, "smb2"),
        (0x5346_414F, "afs"),
        (0x7375_7245, "coda"),
        (0x00C3_6400, "ceph"),
        (0x0BD0_0BD0, "lustre"),
        (0x0116_1970, "gfs2"),
        (0x7461_636F, "ocfs2"),
        (0x564C, "ncp"),
        (0x4750_4653, "gpfs"),
        (0x1983_0326, "beegfs"),
        (0x2003_0528, "orangefs"),
        (0x786F_4256, "vboxsf"),
        (0xBACB_ACBC, "vmhgfs"),
    ];

    /// FUSE is a network's by what it is used for, which only the mount's name says.
    const FUSE: u64 = 0x6573_5546;
    const FUSE_NETWORKS: [&str; 18] = [
        "sshfs",
        "rclone",
        "s3fs",
        "glusterfs",
        "davfs",
        "gcsfuse",
        "ceph",
        "juicefs",
        "mount-s3",
        "goofys",
        "curlftpfs",
        "smbnetfs",
        "gvfsd",
        "moosefs",
        "seaweedfs",
        "hgfs",
        "onedrive",
        "google-drive",
    ];

    pub(super) fn network(directory: &Path) -> Option<String> {
        let found = rustix::fs::statfs(directory).ok()?;
        // Some platforms sign-extend the number.
        let kind = u64::try_from(found.f_type).unwrap_or(0) & 0xFFFF_FFFF;
        if kind == FUSE {
            let directory = std::fs::canonicalize(directory).ok()?;
            let mount = mount_kind(&directory, &std::fs::read_to_string("/proc/self/mounts").ok()?)?;
            return FUSE_NETWORKS.iter().any(|network| mount.contains(network)).then_some(mount);
        }
        KINDS.iter().find(|(number, _)| *number == kind).map(|(_, name)| (*name).to_owned())
    }

    /// The type in a mount table of the deepest mount above a directory; of two at one place, the later covers the other.
    pub(super) fn mount_kind(directory: &Path, table: &str) -> Option<String> {
        let mounts = table.lines().filter_map(|line| {
            let mut fields = line.split(' ').skip(1);
            Some((unescaped(fields.next()?), fields.next()?.to_owned()))
        });
        let above = mounts.filter(|(point, _)| directory.starts_with(point));
        above.max_by_key(|(point, _)| point.len()).map(|(_, kind)| kind)
    }

    /// A mount point as it is: blanks, tabs, line breaks and backslashes stand in the table as octal numbers.
    fn unescaped(field: &str) -> String {
        let escapes = [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")];
        escapes.iter().fold(field.to_owned(), |field, (escape, meant)| field.replace(escape, meant))
    }
}

#[cfg(target_os = "macos")]
mod platform {
    use std::path::Path;

    /// `MNT_LOCAL` of `sys/mount.h`.
    const LOCAL: u32 = 0x1000;

    pub(super) fn network(directory: &Path) -> Option<String> {
        let found = rustix::fs::statfs(directory).ok()?;
        let name = found.f_fstypename.iter().map(|byte| byte.cast_unsigned()).take_while(|byte| *byte != 0);
        let name = String::from_utf8_lossy(&name.collect::<Vec<u8>>()).into_owned();
        (found.f_flags & LOCAL == 0).then_some(name)
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
mod platform {
    use std::path::Path;

    pub(super) fn network(_directory: &Path) -> Option<String> {
        None
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn the_deepest_and_latest_mount_above_a_directory_says_what_it_lies_on() {
        let table = "/dev/sda1 / ext4 rw 0 0\nme@host:/ /home/me/far\\040away fuse.sshfs rw 0 0\n\
                     drive: /home/me/cloud fuse.rclone rw 0 0\ntmpfs /home/me/cloud tmpfs rw 0 0\n";
        let kind = |path: &str| platform::mount_kind(Path::new(path), table);
        assert_eq!(kind("/home/me/far away/store").as_deref(), Some("fuse.sshfs"));
        assert_eq!(kind("/home/me/far").as_deref(), Some("ext4"));
        assert_eq!(kind("/home/me/cloud/store").as_deref(), Some("tmpfs"), "it covers the one beneath it");
        assert_eq!(platform::mount_kind(Path::new("/x"), "damaged"), None);
    }

    #[test]
    fn a_local_directory_has_room_also_before_it_is_made() {
        let dir = tempfile::tempdir().unwrap();
        assert!(room(&dir.path().join("not/yet")).unwrap() > 0);
    }
}
