// A Jest environment that leaves out all other tests of a process once one has failed: a mutant that was noticed is done.
const { TestEnvironment } = require('jest-environment-node');

let isNoticed = false;

module.exports = class QuickEnvironment extends TestEnvironment {
  async handleTestEvent({ name, test }) {
    if (name === 'test_start' && isNoticed) test.mode = 'skip';
    if (name === 'test_done' && test.errors.length > 0) isNoticed = true;
  }
};
