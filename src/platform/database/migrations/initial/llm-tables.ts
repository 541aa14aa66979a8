export const llmTables = (): string[] => [
  `create table llm_usage (month text not null, principal text not null, tokens bigint not null,
    constraint llm_usage_pk primary key (month, principal))`,
];
