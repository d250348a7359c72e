-- TEXT and BIGINT only, no sequences: the same text runs on SQLite, PostgreSQL and what speaks its protocol.
CREATE TABLE settings (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);
CREATE TABLE tokens (
    id TEXT NOT NULL PRIMARY KEY,
    digest TEXT NOT NULL,
    organization TEXT NOT NULL,
    role TEXT NOT NULL,
    repositories TEXT NOT NULL,
    label TEXT NOT NULL,
    created TEXT NOT NULL,
    expires TEXT NOT NULL,
    revoked TEXT NOT NULL
);
CREATE INDEX tokens_of_organization ON tokens (organization, id);
CREATE TABLE repositories (
    organization TEXT NOT NULL,
    name TEXT NOT NULL,
    spelled TEXT NOT NULL,
    version BIGINT NOT NULL,
    checksum TEXT NOT NULL,
    modified TEXT NOT NULL,
    PRIMARY KEY (organization, name)
);
CREATE TABLE entries (
    organization TEXT NOT NULL,
    repository TEXT NOT NULL,
    path TEXT NOT NULL,
    folded TEXT NOT NULL,
    checksum TEXT NOT NULL,
    bytes BIGINT NOT NULL,
    content TEXT NOT NULL,
    version BIGINT NOT NULL,
    modified TEXT NOT NULL,
    token TEXT NOT NULL,
    actor TEXT NOT NULL,
    PRIMARY KEY (organization, repository, path)
);
CREATE UNIQUE INDEX entries_by_folded_path ON entries (organization, repository, folded);
CREATE TABLE history (
    organization TEXT NOT NULL,
    repository TEXT NOT NULL,
    path TEXT NOT NULL,
    version BIGINT NOT NULL,
    operation TEXT NOT NULL,
    checksum TEXT NOT NULL,
    bytes BIGINT NOT NULL,
    content TEXT NOT NULL,
    modified TEXT NOT NULL,
    token TEXT NOT NULL,
    actor TEXT NOT NULL,
    PRIMARY KEY (organization, repository, path, version)
);
CREATE TABLE audit (
    organization TEXT NOT NULL,
    id TEXT NOT NULL,
    moment TEXT NOT NULL,
    action TEXT NOT NULL,
    repository TEXT NOT NULL,
    version BIGINT NOT NULL,
    token TEXT NOT NULL,
    actor TEXT NOT NULL,
    details TEXT NOT NULL,
    PRIMARY KEY (organization, id)
);
CREATE INDEX audit_of_repository ON audit (organization, repository, id);
