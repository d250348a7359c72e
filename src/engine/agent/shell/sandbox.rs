//! The walls around a command: no writing, no network, no reading but where it was allowed.
//!
//! Landlock guards paths and TCP, seccomp the rest of the network, modes, owners, times, attributes, tracing and signals.
//! Both hold for the thread that asks for them and for all it starts, so a thread of its own puts on both and then starts
//! the commands; the rest of the program stays as it was. Not its job: which commands those are.

use std::path::PathBuf;

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
use crate::engine::agent::walls;

/// Why there is no sandbox here; `None`: there is one. Asked once.
pub(super) fn unavailable() -> Option<String> {
    static ANSWER: std::sync::OnceLock<Option<String>> = std::sync::OnceLock::new();
    ANSWER.get_or_init(|| within(&[], || ()).err()).clone()
}

/// Does something on a thread of its own that may read `readable` and the system's programs, and change nothing; the
/// processes it starts are held by the same walls.
///
/// # Errors
/// When the walls cannot be put up: nothing was done then.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) fn within<T: Send>(readable: &[PathBuf], work: impl FnOnce() -> T + Send) -> Result<T, String> {
    walls::behind(|| linux::put_up(readable), work)
}

/// There is none here.
///
/// # Errors
/// Always.
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
pub(super) fn within<T: Send>(_readable: &[PathBuf], _work: impl FnOnce() -> T + Send) -> Result<T, String> {
    Err("this system has no sandbox that dreamtop knows".to_owned())
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod linux {
    use std::collections::BTreeMap;
    use std::path::{Path, PathBuf};

    use landlock::{
        ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreatedAttr,
        RulesetStatus,
    };
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};

    /// Programs and what they are linked with.
    const SYSTEM: [&str; 5] = ["/usr", "/bin", "/lib", "/lib64", "/sbin"];
    /// Single files that programs look at.
    const SYSTEM_FILES: [&str; 3] = ["/etc/ld.so.cache", "/etc/localtime", "/etc/passwd"];

    pub(super) fn put_up(readable: &[PathBuf]) -> Result<(), String> {
        landlock(readable).map_err(|error| format!("the kernel's Landlock is not to be had: {error}"))?;
        seccomp().map_err(|error| format!("the kernel's seccomp is not to be had: {error}"))
    }

    fn landlock(readable: &[PathBuf]) -> Result<(), String> {
        let words = |error: landlock::RulesetError| error.to_string();
        let all = AccessFs::from_all(ABI::V5);
        let mut ruleset = Ruleset::default()
            .handle_access(all)
            .map_err(words)?
            .handle_access(AccessNet::from_all(ABI::V5))
            .map_err(words)?
            .create()
            .map_err(words)?;
        let look: BitFlags<AccessFs> = AccessFs::ReadFile | AccessFs::ReadDir;
        let run = look | AccessFs::Execute;
        let files = BitFlags::from(AccessFs::ReadFile);
        let null = AccessFs::ReadFile | AccessFs::WriteFile;
        let rules = SYSTEM
            .iter()
            .map(|path| (Path::new(path), run))
            .chain(SYSTEM_FILES.iter().map(|path| (Path::new(path), files)))
            .chain(std::iter::once((Path::new("/dev/null"), null)))
            .chain(readable.iter().map(|path| (path.as_path(), look)));
        for (path, access) in rules {
            // What is not there needs no permission.
            let Ok(opened) = PathFd::new(path) else { continue };
            let access = if path.is_dir() { access } else { access & !BitFlags::from(AccessFs::ReadDir) };
            ruleset = ruleset.add_rule(PathBeneath::new(opened, access)).map_err(words)?;
        }
        match ruleset.restrict_self().map_err(words)?.ruleset {
            RulesetStatus::NotEnforced => Err("it is switched off".to_owned()),
            RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Ok(()),
        }
    }

    /// What a command that reads never calls. `kill` and its like are for the thread outside.
    const DENIED: &[libc::c_long] = &[
        libc::SYS_socket,
        libc::SYS_socketpair,
        libc::SYS_connect,
        libc::SYS_bind,
        libc::SYS_listen,
        libc::SYS_accept,
        libc::SYS_accept4,
        libc::SYS_sendto,
        libc::SYS_sendmsg,
        libc::SYS_sendmmsg,
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_io_uring_setup,
        libc::SYS_io_uring_enter,
        libc::SYS_io_uring_register,
        libc::SYS_fchmod,
        libc::SYS_fchmodat,
        libc::SYS_fchmodat2,
        libc::SYS_fchown,
        libc::SYS_fchownat,
        libc::SYS_utimensat,
        libc::SYS_setxattr,
        libc::SYS_lsetxattr,
        libc::SYS_fsetxattr,
        libc::SYS_removexattr,
        libc::SYS_lremovexattr,
        libc::SYS_fremovexattr,
        libc::SYS_mount,
        libc::SYS_umount2,
        libc::SYS_move_mount,
        libc::SYS_open_tree,
        libc::SYS_fsopen,
        libc::SYS_pivot_root,
        libc::SYS_chroot,
        libc::SYS_unshare,
        libc::SYS_setns,
        libc::SYS_keyctl,
        libc::SYS_add_key,
        libc::SYS_bpf,
        libc::SYS_perf_event_open,
        libc::SYS_kill,
        libc::SYS_tkill,
        libc::SYS_tgkill,
        libc::SYS_pidfd_open,
        libc::SYS_pidfd_send_signal,
        libc::SYS_settimeofday,
        libc::SYS_clock_settime,
        libc::SYS_adjtimex,
        libc::SYS_sethostname,
        libc::SYS_setdomainname,
        libc::SYS_reboot,
        libc::SYS_acct,
        libc::SYS_swapon,
        libc::SYS_swapoff,
        libc::SYS_init_module,
        libc::SYS_finit_module,
        libc::SYS_delete_module,
        libc::SYS_kexec_load,
        libc::SYS_syslog,
        libc::SYS_truncate,
    ];

    /// The older calls that only this processor has.
    #[cfg(target_arch = "x86_64")]
    const DENIED_HERE: &[libc::c_long] = &[
        libc::SYS_chmod,
        libc::SYS_chown,
        libc::SYS_lchown,
        libc::SYS_utime,
        libc::SYS_utimes,
        libc::SYS_futimesat,
        libc::SYS_mknod,
    ];
    #[cfg(target_arch = "aarch64")]
    const DENIED_HERE: &[libc::c_long] = &[];

    fn seccomp() -> Result<(), String> {
        let rules: BTreeMap<i64, Vec<seccompiler::SeccompRule>> =
            DENIED.iter().chain(DENIED_HERE).map(|call| (*call, Vec::new())).collect();
        let refused = SeccompAction::Errno(libc::EPERM.unsigned_abs());
        let processor = std::env::consts::ARCH.try_into().map_err(|_| "an unknown processor".to_owned())?;
        let filter =
            SeccompFilter::new(rules, SeccompAction::Allow, refused, processor).map_err(|error| error.to_string())?;
        let program: BpfProgram = filter.try_into().map_err(|error: seccompiler::BackendError| error.to_string())?;
        seccompiler::apply_filter(&program).map_err(|error| error.to_string())
    }
}
