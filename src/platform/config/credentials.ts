import type { SealedText } from '../secrets/sealed-text.rules.js';
import type { SealingKeys } from '../secrets/sealing-keys.service.js';
import type { CredentialKey } from '../settings/settings.schema.js';

/** A credential as stored: encrypted, with the server that it was entered for. */
export interface StoredCredential extends SealedText {
  /** Origin of the server. */
  readonly origin: string;
}

/** A credential, and the origin of the server that it was entered for. */
export interface Credential {
  text: string;
  origin: string;
}

/** Holds the credentials that the service presents to other servers, each only to the server that it was entered for. */
export class Credentials {
  private readonly credentials = new Map<CredentialKey, Credential>();

  constructor(private readonly sealing: SealingKeys) {}

  /** Returns the credential if it was entered for this server; `origin` is null when no server is set. */
  find(key: CredentialKey, origin: string | null): string | undefined {
    const credential = this.credentials.get(key);
    return credential?.origin === origin ? credential?.text : undefined;
  }

  /** Returns why a stored credential is not presented to the server; null when it is presented, or none is stored. */
  problemWith(key: CredentialKey, origin: string | null): string | null {
    const credential = this.credentials.get(key);
    if (!credential || origin === null || credential.origin === origin) return null;
    return `${key} was entered for ${credential.origin}, so it is not presented: enter the key again for ${origin}`;
  }

  keep(key: CredentialKey, credential: Credential): void {
    this.credentials.set(key, credential);
  }

  forget(key: CredentialKey): void {
    this.credentials.delete(key);
  }

  async seal(key: CredentialKey, { text, origin }: Credential): Promise<StoredCredential> {
    return { ...(await this.sealing.seal(text, purposeOf(key, origin))), origin };
  }

  /** Decrypts a stored credential; null when it cannot be decrypted. One that is sealed by a former key should be stored again. */
  async open(key: CredentialKey, stored: StoredCredential): Promise<(Credential & { byFormerKey: boolean }) | null> {
    const opened = await this.sealing.open(stored, purposeOf(key, stored.origin));
    return opened && { ...opened, origin: stored.origin };
  }

  /** Deletes former keys. Call it when every stored credential has been opened, and re-sealed where necessary. */
  forgetFormerKeys(): Promise<void> {
    return this.sealing.forgetFormer();
  }
}

const purposeOf = (key: CredentialKey, origin: string): string => `${key} for ${origin}`;

export function isStoredCredential(value: unknown): value is StoredCredential {
  if (typeof value !== 'object' || value === null || !('sealed' in value) || !('origin' in value)) return false;
  return typeof value.sealed === 'string' && typeof value.origin === 'string';
}
