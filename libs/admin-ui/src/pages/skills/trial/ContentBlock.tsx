import { Image, Text } from '@mantine/core';
import { JsonBlock } from '../../../components/JsonBlock';
import type { Json } from '../../../mcp/json-rpc';

// Only formats that cannot contain scripts.
const SHOWN_IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml'];

/** Shows one content block of a result: text, an image, or the JSON of any other type. */
export function ContentBlock({ block }: { block: Json }) {
  const { type, text, data, mimeType } = block;
  if (type === 'text' && typeof text === 'string') {
    return (
      <Text component="pre" size="sm" m={0} ff="monospace" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </Text>
    );
  }
  if (type === 'image' && typeof data === 'string' && SHOWN_IMAGES.includes(String(mimeType))) {
    return (
      <Image src={`data:${String(mimeType)};base64,${data}`} alt="Returned by the skill" fit="contain" mah={400} />
    );
  }
  return <JsonBlock label={`Content of type ${String(type)}`} value={block} />;
}
