-- A page of a repository's history is read in its order, and what is old is found, without looking at everything.
CREATE INDEX history_by_version ON history (organization, repository, version DESC, path);
CREATE INDEX entries_by_version ON entries (organization, repository, version DESC, path);
CREATE INDEX history_by_time ON history (modified);
CREATE INDEX audit_by_time ON audit (moment);
