import { type ColumnTypes, vectorTable } from './column-types.js';

/** Skill packages, their versions and files; their text index is created separately. */
export const packageTables = (types: ColumnTypes): string[] => [
  `create table skill_packages (id ${types.sequence}, name text not null unique, version integer not null,
    enabled integer not null, source text not null, updated_at text not null, updated_by text, removed_at text,
    removed_by text)`,
  `create table skill_package_versions (name text not null references skill_packages (name) on delete cascade,
    version integer not null, digest text not null, frontmatter text not null, files integer not null,
    bytes integer not null, source text not null, saved_at text not null, saved_by text,
    constraint skill_package_versions_pk primary key (name, version))`,
  // The long column comes last, so that the others can be read without it.
  `create table skill_package_files (name text not null, version integer not null, path text not null,
    digest text not null, size integer not null, mime_type text not null, content ${types.bytes} not null,
    constraint skill_package_files_pk primary key (name, version, path),
    constraint skill_package_files_version foreign key (name, version)
      references skill_package_versions (name, version) on delete cascade)`,
  ...vectorTable('skill_package_vectors', { item: 'package_id', items: 'skill_packages' }, types),
  `create table skill_package_proposals (id ${types.sequence}, name text not null, author text not null, state text not null,
    proposed_at text not null, description text not null, instructions text not null, files text not null)`,
  `create unique index skill_package_proposals_open on skill_package_proposals (name, author) where state = 'open'`,
  `create index skill_package_proposals_author on skill_package_proposals (author, proposed_at)`,
];
