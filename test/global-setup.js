import { execFileSync } from 'node:child_process';

/** Some tests run the service as a process of its own: it is built once, before all of them. */
export default function build() {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.tools.json'], {
    stdio: 'inherit',
  });
}
