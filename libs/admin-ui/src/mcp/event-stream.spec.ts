import { EventStreamParser } from './event-stream';

const parse = (...pieces: string[]) => {
  const parser = new EventStreamParser();
  return pieces.flatMap((piece) => parser.push(piece));
};

describe('EventStreamParser', () => {
  it('finds the data of every event', () => {
    expect(parse('event: message\ndata: {"a":1}\n\ndata:{"b":2}\n\n')).toEqual(['{"a":1}', '{"b":2}']);
  });

  it('waits for the end of an event, wherever it was cut', () => {
    expect(parse('da', 'ta: {"a"', ':1}\n', '\ndata: x')).toEqual(['{"a":1}']);
  });

  it('understands carriage returns, even cut in two', () => {
    expect(parse('data: x\r\n\r', '\ndata: y\r\n\r\n')).toEqual(['x', 'y']);
  });

  it('joins the lines of one event', () => {
    expect(parse('data: a\ndata: b\n\n')).toEqual(['a\nb']);
  });

  it('passes over comments and events without data', () => {
    expect(parse(': keep-alive\n\nid: 1\ndata:\n\n')).toEqual([]);
  });
});
