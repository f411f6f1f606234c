import type { Hooks } from './types.ts';

/** Webhook: the two preview fields that the form computes. */
export const webhookHooks: Hooks = {
  beforeInsert(_site, _actor, document) {
    document.meets_condition = 'Yes';
    document.preview_request_body = 'Select a document to preview request data';
  },
};
