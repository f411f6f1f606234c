import * as rejections from '#store/rejections.ts';
import type { StateDb } from '#store/schema.ts';
import { sender } from './desk-seed.ts';

type Rejection = Parameters<typeof rejections.record>[1];

/** An agent has rejected this company for the sender, on another ticket unless it is named. Gives the rejection's id. */
export const rejectEarlier = (db: StateDb, of: Pick<Rejection, 'orgId'> & Partial<Rejection>): Promise<string> =>
  rejections.record(db, {
    ticket: { name: '7', creation: '2026-01-01 00:00:00' },
    sender,
    crmCompanyId: null,
    companyName: null,
    agent: 'an@desk.example',
    signedIn: true,
    reason: { code: 'other', note: '' },
    at: 2,
    ...of,
  });
