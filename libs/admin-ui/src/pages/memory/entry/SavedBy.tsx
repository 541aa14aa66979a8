import { Caller } from '../../../components/Caller';

/** Shows who saved an entry, and with which program if known. */
export function SavedBy({ client, program }: { client: string; program: string | null }) {
  if (program === null) return <Caller name={client} />;
  return (
    <>
      {program} (<Caller name={client} />)
    </>
  );
}
