import { type DesiredField, desiredFields, foundAs } from '#setup/desired-state.ts';
import { type AreaReport, type DoctorFinding, finding, listed } from '#setup/doctor/finding.ts';
import type { DoctypeFacts, FieldFacts } from '#setup/doctor/gather/fields.ts';

/** An org id has up to 20 digits, a CRM address more; anything shorter than this is too short for something. */
const shortest = 60;
const provision = 'Run "provision", which creates what is missing.';

/**
 * Judges whether the specification's fields exist and can hold what is written to them (docs/decisions.md 6, 17, 19).
 */
export function judgeFields(facts: readonly DoctypeFacts[]): AreaReport {
  const findings = facts.flatMap(judgeDoctype);
  const count = facts.reduce((sum, { doctype }) => sum + desiredFields[doctype].length, 0);
  const passed = findings.length === 0 ? [`All ${count} fields exist and are suitable.`] : [];
  return { area: 'Fields', findings, passed, unchecked: [] };
}

function judgeDoctype({ doctype, fields, openLevels }: DoctypeFacts): DoctorFinding[] {
  const sorted: Record<Judgement, string[]> = {
    missing: [],
    int_org_id: [],
    unsuitable: [],
    options_missing: [],
    options_fixed: [],
    too_short: [],
    closed: [],
  };
  for (const desired of desiredFields[doctype]) {
    const field = fields ? foundAs(fields, desired) : undefined;
    for (const judgement of judgeField(desired, field, openLevels)) {
      sorted[judgement].push(`${desired.fieldname}${field ? detail(judgement, desired, field) : ''}`);
    }
  }
  return (Object.keys(sorted) as Judgement[]).flatMap((judgement) => {
    const names = sorted[judgement];
    return names.length === 0 ? [] : [texts[judgement](doctype, listed(names))];
  });
}

type Judgement = 'missing' | 'int_org_id' | 'unsuitable' | 'options_missing' | 'options_fixed' | 'too_short' | 'closed';

function judgeField(desired: DesiredField, field: FieldFacts | undefined, open: ReadonlySet<number>): Judgement[] {
  if (field === undefined) return ['missing'];
  const level: Judgement[] = field.permlevel > 0 && !open.has(field.permlevel) ? ['closed'] : [];
  return [...judgeType(desired, field), ...level];
}

function judgeType({ fieldname, suits, values }: DesiredField, { type, options, length }: FieldFacts): Judgement[] {
  if (!suits.includes(type)) return [/org_?id$/.test(fieldname) && /Int$/.test(type) ? 'int_org_id' : 'unsuitable'];
  if (type === 'Select') {
    const offered = optionsOf(options);
    if (offered.length === 0) return [];
    if (values === undefined) return ['options_fixed'];
    return values.every((value) => offered.includes(value)) ? [] : ['options_missing'];
  }
  return type === 'Data' && length > 0 && length < shortest ? ['too_short'] : [];
}

const optionsOf = (options: string) => options.split('\n').flatMap((option) => option.trim() || []);

function detail(judgement: Judgement, { suits, values = [] }: DesiredField, field: FieldFacts): string {
  if (judgement === 'unsuitable') return ` (${field.type} instead of ${suits[0]})`;
  if (judgement === 'too_short') return ` (${field.length} characters)`;
  if (judgement === 'closed') return ` (level ${field.permlevel})`;
  if (judgement !== 'options_missing') return '';
  const offered = optionsOf(field.options);
  return ` (without ${values.filter((value) => !offered.includes(value)).join(', ')})`;
}

const texts: Record<Judgement, (doctype: string, names: string) => DoctorFinding> = {
  missing: (doctype, names) =>
    finding('field_missing', `${doctype} lacks ${names}; their values are left out.`, provision),
  int_org_id: (doctype, names) =>
    finding(
      'field_org_id_int',
      `${names} of ${doctype} is a number: an org id above 2,147,483,647 does not fit and is left out.`,
      'Create a field of type Data, copy the values, and give it this name (docs/decisions.md 6).',
    ),
  unsuitable: (doctype, names) =>
    finding(
      'field_type_unsuitable',
      `${doctype} has fields whose type cannot hold their values: ${names}.`,
      'Change the type in "Customize Form", or rename the field and run "provision".',
    ),
  options_missing: (doctype, names) =>
    finding(
      'field_options_missing',
      `${doctype} lacks options: ${names}; such values are left out.`,
      'Add the options in "Customize Form", exactly as written here.',
    ),
  options_fixed: (doctype, names) =>
    finding(
      'field_options_fixed',
      `${names} of ${doctype} has fixed options, but the CRM may have any text; other values are left out.`,
      'Make it a field of type Data, or make sure that every CRM value is an option.',
    ),
  too_short: (doctype, names) =>
    finding(
      'field_too_short',
      `Fields of ${doctype} are too short: ${names}; longer values are left out.`,
      'Set "Length" to 0 in "Customize Form".',
    ),
  closed: (doctype, names) =>
    finding(
      'field_level_closed',
      `The service account may not read and write ${names} of ${doctype}.`,
      `Give Agent and Agent Manager read and write permission at that level (Role Permissions Manager, ${doctype}).`,
    ),
};
