/** Cedar's JSON format of policies, version 4 (docs.cedarpolicy.com, "JSON policy format"). */
export interface PolicyJson {
  effect: 'permit' | 'forbid';
  principal: ScopeJson;
  action: ScopeJson;
  resource: ScopeJson;
  conditions: { kind: 'when' | 'unless'; body: ExpressionJson }[];
  /** Null = an annotation without a text. */
  annotations?: Record<string, string | null>;
}

export interface EntityJson {
  type: string;
  id: string;
}

/** Which principals, actions or resources a policy is about. */
export interface ScopeJson {
  op: string;
  entity?: EntityReferenceJson;
  entities?: EntityReferenceJson[];
  entity_type?: string;
  in?: { entity?: EntityReferenceJson };
}

export type EntityReferenceJson = EntityJson | { __entity: EntityJson };

/** An object with one key, which names the operator. */
export type ExpressionJson = Readonly<Record<string, unknown>>;

export const toEntityJson = (reference: EntityReferenceJson): EntityJson =>
  '__entity' in reference ? reference.__entity : reference;
