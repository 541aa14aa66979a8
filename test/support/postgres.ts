/** Tests that need a PostgreSQL server; left out where the test run has started none. */
export function describeOnPostgres(title: string, tests: (serverUrl: string) => void): void {
  const serverUrl = process.env['TEST_POSTGRES_URL'];
  (serverUrl === undefined ? describe.skip : describe)(title, () => tests(serverUrl ?? ''));
}
