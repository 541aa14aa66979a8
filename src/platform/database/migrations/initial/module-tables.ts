export const moduleTables = (): string[] => [
  `create table skill_modules (name text not null primary key, file text not null, source text not null,
    version integer not null, approved integer, enabled integer not null, problem text, created_at text not null,
    updated_at text not null, updated_by text, removed_at text)`,
  // The long columns come last, so that the others can be read without them.
  `create table skill_module_versions (name text not null references skill_modules (name) on delete cascade,
    version integer not null, digest text not null, declaration text not null, saved_at text not null, saved_by text,
    files text not null, javascript text not null, constraint skill_module_versions_pk primary key (name, version))`,
  `create table skill_module_states (name text not null primary key references skill_modules (name) on delete cascade,
    value text not null, updated_at text not null)`,
  `create table skill_module_settings (name text not null primary key references skill_modules (name) on delete cascade,
    version integer not null, given text not null, updated_at text not null, updated_by text not null)`,
];
