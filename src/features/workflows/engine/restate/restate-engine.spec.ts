import { Logger } from '@nestjs/common';
import { describeEachDatabase } from '../../../../platform/database/testing.js';
import { freePort } from '../../../../../test/harness/free-port.js';
import { describeWithRestate, RestateServer } from '../../../../../test/support/restate-server.js';
import { testEngine } from '../contract/testing.js';
import { engineOnRestate } from './testing.js';

describeWithRestate('the engine on Restate', () => {
  let server: RestateServer;
  let port: number;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    server = await RestateServer.start();
    port = await freePort();
  });
  afterAll(() => server.stop());

  describeEachDatabase('with tables', (open) =>
    testEngine(open, async (database, programs) => engineOnRestate(database, programs, server, port)),
  );
});
