import type { Actor } from '#helpdesk/site/actor.ts';
import type { Site } from '#helpdesk/site/site.ts';
import type { StoredDocument } from '#helpdesk/store/store.ts';

/**
 * What a DocType's controller adds to saving, in the order of docs/helpdesk.md#inserting-a-ticket. Each part may change
 * the document it is given; up to `validate` it may throw, and nothing is stored before all have passed. Server Scripts
 * run after `beforeInsert`, webhooks are queued after `afterInsert`.
 */
export interface Hooks {
  /** Before scripts and naming: defaults that the controller sets on a new document. */
  beforeInsert?(site: Site, actor: Actor, document: StoredDocument): void;
  /** The name of a new document, where the naming rule alone does not give it. */
  name?(site: Site, document: StoredDocument): string;
  /** On every save; `before` is undefined for a new document. */
  validate?(site: Site, actor: Actor, document: StoredDocument, before: StoredDocument | undefined): void;
  /** After a new document has been stored. */
  afterInsert?(site: Site, actor: Actor, document: StoredDocument): void;
  /** After every save, a new document's too; `before` is undefined for that. */
  afterSave?(site: Site, actor: Actor, document: StoredDocument, before: StoredDocument | undefined): void;
  /** After every save and after deletion. */
  onChange?(site: Site, document: StoredDocument): void;
  /** After deletion alone. */
  afterDelete?(site: Site, document: StoredDocument): void;
}
