import type { FeedReader } from '../../src/features/feeds/reading/reader.service.js';
import { FeedServer } from './feed-server.js';
import { FeedWorld } from './feed-world.js';

interface Opened {
  publisher: FeedServer;
  world: FeedWorld;
}

/** For each test of a suite: a publisher, and a new world of feeds. */
export function openFeedWorld(reader: FeedReader, take: (opened: Opened) => void): void {
  let opened: Opened;
  beforeEach(async () => {
    opened = { publisher: await FeedServer.start(), world: await FeedWorld.open(reader) };
    take(opened);
  });
  afterEach(async () => {
    opened.publisher.stop();
    await opened.world.database.destroy();
  });
}
