// node tools/at-once.js <npm script>...: runs scripts of package.json, two at a time, and prints the output of each when it ends.
// Fails if one of them fails, but runs all of them.
import { spawn } from 'node:child_process';
import { argv, env } from 'node:process';

const AT_ONCE = 2;
const waiting = argv.slice(2);
const failed = [];

await Promise.all(Array.from({ length: AT_ONCE }, runWaiting));
console.log(failed.length === 0 ? 'All checks passed' : `Failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function runWaiting() {
  for (let script = waiting.shift(); script !== undefined; script = waiting.shift()) await run(script);
}

function run(script) {
  const startedAt = Date.now();
  const child = spawn('npm', ['run', '--silent', ...script.split(' ')], { env, shell: process.platform === 'win32' });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  return new Promise((resolve) => {
    child.once('close', (code) => {
      const seconds = Math.round((Date.now() - startedAt) / 1000);
      console.log(`${code === 0 ? 'passed' : 'FAILED'}  ${script} (${seconds} s)`);
      if (code !== 0) {
        failed.push(script);
        console.log(said.trim());
      }
      resolve();
    });
  });
}
