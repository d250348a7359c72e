//! A PostgreSQL of the tests' own, in a temp directory, ended with the test binary however that ends.

use std::env;
use std::fs;
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Ends the database and takes its directory away once the pipe to this process is cut.
const KEEPER: &str = r#""$@" & child=$!; read -r _; kill -QUIT $child; wait $child; rm -rf "$0""#;

/// The URL of a new, empty database; `None`: PostgreSQL is not installed, which is said.
pub fn database() -> Option<String> {
    static CLUSTER: OnceLock<Option<u16>> = OnceLock::new();
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let port = (*CLUSTER.get_or_init(start))?;
    Some(made(port, &format!("team{}", NEXT.fetch_add(1, Ordering::Relaxed))))
}

/// The port of a PostgreSQL that no other test uses, for one that breaks it, and the URL of an empty database in it.
pub fn of_its_own() -> Option<(u16, String)> {
    let port = start()?;
    Some((port, made(port, "team")))
}

fn made(port: u16, name: &str) -> String {
    assert!(psql(port, &format!("CREATE DATABASE {name}")), "a database is made");
    format!("postgres://dreamtop@127.0.0.1:{port}/{name}")
}

/// `psql` on a database, printing rows only.
pub fn client(port: u16, database: &str) -> Command {
    let port = port.to_string();
    let mut command = Command::new(tool("psql").unwrap_or_else(|| PathBuf::from("psql")));
    command.args(["-qAt", "-h", "127.0.0.1", "-p", &port, "-U", "dreamtop", "-d", database]);
    command
}

fn psql(port: u16, statement: &str) -> bool {
    let mut command = client(port, "postgres");
    command.args(["-c", statement]).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Where a program of PostgreSQL is: on the path, or where Debian puts it.
fn tool(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut places: Vec<PathBuf> = env::split_paths(&path).collect();
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    places.extend(versions.map(|version| version.path().join("bin")));
    places.into_iter().map(|place| place.join(name)).find(|file| file.is_file())
}

// The keeper outlives this function, and ends by itself with this process.
#[allow(clippy::zombie_processes)]
fn start() -> Option<u16> {
    let (Some(initdb), Some(postgres)) = (tool("initdb"), tool("postgres")) else {
        assert!(env::var_os("CI").is_none(), "PostgreSQL is not installed, and CI does not do without it");
        eprintln!("PostgreSQL is not installed: these tests ran on SQLite only");
        return None;
    };
    let dir = tempfile::Builder::new().prefix("dreamtop-postgres-").tempdir().unwrap().keep();
    let user = user_for(&dir);
    let as_user = |program: &Path| {
        let mut command = match &user {
            None => Command::new(program),
            Some(user) => {
                let mut command = Command::new("setpriv");
                let (user, group) = user;
                command.args(["--reuid", user, "--regid", group, "--clear-groups", "--"]).arg(program);
                command
            }
        };
        command.current_dir(&dir).env("LC_ALL", "C.UTF-8");
        command
    };
    let data = dir.join("data");
    let made = as_user(&initdb)
        .args(["--username=dreamtop", "--auth=trust", "--encoding=UTF8", "--no-sync", "-D"])
        .arg(&data)
        .output()
        .expect("initdb starts");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let log = fs::File::create(dir.join("log")).unwrap();
    let mut keeper = as_user(Path::new("/bin/sh"));
    keeper.arg("-c").arg(KEEPER).arg(&dir).arg(&postgres).arg("-D").arg(&data);
    keeper.args(["-h", "127.0.0.1", "-p", &port.to_string(), "-c", "max_connections=200"]);
    keeper.arg("-k").arg(&dir).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(log);
    // A signal to the tests' group ends the tests; the keeper hears of it by the pipe, and tidies up.
    keeper.process_group(0);
    let mut child = keeper.spawn().expect("the database starts");
    // The pipe stays open as long as this process lives, whatever ends it.
    std::mem::forget(child.stdin.take());
    let end = Instant::now() + Duration::from_secs(120);
    while !psql(port, "SELECT 1") {
        let ended = child.try_wait().unwrap();
        let log = || fs::read_to_string(dir.join("log")).unwrap_or_default();
        assert!(ended.is_none() && Instant::now() < end, "the database answers; {ended:?}, {}", log());
        std::thread::sleep(Duration::from_millis(50));
    }
    Some(port)
}

/// PostgreSQL does not run as root: then it runs as somebody else, who gets the directory.
fn user_for(dir: &Path) -> Option<(String, String)> {
    let id = |arguments: &[&str]| {
        let output = Command::new("id").args(arguments).output().ok().filter(|output| output.status.success())?;
        String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
    };
    if id(&["-u"])? != "0" {
        return None;
    }
    let of = |name: &str| id(&["-u", name]).zip(id(&["-g", name]));
    let (user, group) = of("postgres").or_else(|| of("nobody"))?;
    std::os::unix::fs::chown(dir, user.parse().ok(), group.parse().ok()).unwrap();
    Some((user, group))
}
