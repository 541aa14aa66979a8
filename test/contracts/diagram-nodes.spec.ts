import { nodeIdOf as nodeIdOfService } from '#open-workflow';
import { nodeIdOf } from '../../libs/admin-ui/src/components/diagram/node-id.js';

it.each([
  '/do/0/fetch',
  '/do/2/loop/for/do/0/save',
  '/do/0/a_b',
  '/do/0/a-b',
  '/do/0/a~1b',
  '/do/0/Zürich 🚲',
  '/do/0/Z5fZ',
])('the pages know the node that the service draws for %s', (task) =>
  expect(nodeIdOf(task)).toBe(nodeIdOfService(task)),
);
