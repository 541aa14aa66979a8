import { Caller } from '../../../components/Caller';

/** Says who saved an entry, and with which program if that is known. */
export function SavedBy({ client, program }: { client: string; program: string | null }) {
  if (program === null) return <Caller name={client} />;
  return (
    <>
      {program} (<Caller name={client} />)
    </>
  );
}
