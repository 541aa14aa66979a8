/** Cedar's JSON policy format, version 4 (docs.cedarpolicy.com, "JSON policy format"). */
export interface PolicyJson {
  effect: 'permit' | 'forbid';
  principal: ScopeJson;
  action: ScopeJson;
  resource: ScopeJson;
  conditions: { kind: 'when' | 'unless'; body: ExpressionJson }[];
  /** Null = an annotation without a value. */
  annotations?: Record<string, string | null>;
}

export interface EntityJson {
  type: string;
  id: string;
}

/** The principals, actions or resources that a policy covers. */
export interface ScopeJson {
  op: string;
  entity?: EntityReferenceJson;
  entities?: EntityReferenceJson[];
  entity_type?: string;
  in?: { entity?: EntityReferenceJson };
}

export type EntityReferenceJson = EntityJson | { __entity: EntityJson };

/** An object with one key: the operator. */
export type ExpressionJson = Readonly<Record<string, unknown>>;

export const toEntityJson = (reference: EntityReferenceJson): EntityJson =>
  '__entity' in reference ? reference.__entity : reference;
