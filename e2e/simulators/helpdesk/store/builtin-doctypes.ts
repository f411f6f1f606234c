import type { DocPerm, DocType, Field } from './doctype.ts';

/**
 * DocTypes of the framework that the recordings do not list, cut down to what callers can notice. A field is written
 * `name:Type`, `name:Type(options)`, with `=default` and `*` for required; `_` stands for the blank in a type.
 * Permissions: letters of select, read, write, create, delete, `h` for share; `o` limits a row to the owner.
 */
const definitions: [name: string, autoname: string, fields: string, permissions: Record<string, string>][] = [
  [
    'User',
    'field:email',
    'email:Data* enabled:Check=1 first_name:Data full_name:Data username:Data user_type:Data^1 language:Link(Language) ' +
      'time_zone:Data user_image:Attach_Image api_key:Data^1 api_secret:Password^1 roles:Table(Has_Role)',
    { 'System Manager': 'srwcd', 'Desk User': 's' },
  ],
  [
    'Property Setter',
    'prompt',
    'doctype_or_field:Data doc_type:Data property:Data property_type:Data value:Small_Text default_value:Data',
    { 'System Manager': 'srwcd' },
  ],
  ['Has Role', 'hash', 'role:Link(Role)', {}],
  ['OAuth Bearer Token', 'prompt', 'client:Data user:Data status:Data', { 'System Manager': 'srwcd' }],
  [
    'Role',
    'field:role_name',
    'role_name:Data* disabled:Check desk_access:Check=1',
    { 'System Manager': 'srwcd', 'Agent Manager': 'r' },
  ],
  [
    'DocType',
    'prompt',
    'module:Data issingle:Check is_virtual:Check is_tree:Check istable:Check editable_grid:Check=1 ' +
      'track_changes:Check autoname:Data naming_rule:Data= sort_field:Data=modified sort_order:Data=DESC ' +
      'read_only:Check in_create:Check allow_copy:Check allow_rename:Check=1 allow_import:Check hide_toolbar:Check ' +
      'track_seen:Check max_attachments:Int document_type:Data= engine:Data=InnoDB is_submittable:Check ' +
      'show_name_in_global_search:Check custom:Check beta:Check has_web_view:Check allow_guest_to_view:Check ' +
      'email_append_to:Check show_title_field_in_link:Check translated_doctype:Check is_calendar_and_gantt:Check ' +
      'quick_entry:Check grid_page_length:Int=50 track_views:Check queue_in_background:Check ' +
      'allow_events_in_timeline:Check allow_auto_repeat:Check make_attachments_public:Check ' +
      'force_re_route_to_default_view:Check show_preview_popup:Check protect_attached_files:Check ' +
      'index_web_pages_for_search:Check=1 row_format:Data=Dynamic rows_threshold_for_grid_search:Int ' +
      'permissions:Table(DocPerm) actions:Table(DocType_Action) fields:Table(DocField) links:Table(DocType_Link) ' +
      'states:Table(DocType_State)',
    { 'System Manager': 'srwcd' },
  ],
  [
    'DocField',
    'hash',
    'fieldname:Data label:Data fieldtype:Data=Data options:Small_Text search_index:Check show_dashboard:Check ' +
      'hidden:Check set_only_once:Check allow_in_quick_entry:Check print_hide:Check report_hide:Check reqd:Check ' +
      'bold:Check in_global_search:Check collapsible:Check unique:Check no_copy:Check allow_on_submit:Check ' +
      'permlevel:Int ignore_user_permissions:Check columns:Int default:Small_Text in_list_view:Check ' +
      'fetch_if_empty:Check in_filter:Check remember_last_selected_value:Check ignore_xss_filter:Check ' +
      'print_hide_if_no_value:Check allow_bulk_edit:Check in_standard_filter:Check in_preview:Check read_only:Check ' +
      'precision:Data= length:Int translatable:Check hide_border:Check hide_days:Check hide_seconds:Check ' +
      'non_negative:Check is_virtual:Check sort_options:Check show_on_timeline:Check make_attachment_public:Check ' +
      'oldfieldname:Data oldfieldtype:Data trigger:Data collapsible_depends_on:Code ' +
      'mandatory_depends_on:Code read_only_depends_on:Code depends_on:Code width:Data print_width:Data ' +
      'description:Small_Text max_height:Data link_filters:JSON fetch_from:Small_Text documentation_url:Data ' +
      'placeholder:Data',
    {},
  ],
  [
    'DocPerm',
    'hash',
    'permlevel:Int role:Link(Role) read:Check=1 write:Check create:Check submit:Check cancel:Check delete:Check ' +
      'amend:Check report:Check=1 export:Check=1 import:Check share:Check=1 print:Check=1 email:Check=1 ' +
      'if_owner:Check select:Check',
    {},
  ],
  [
    'Custom DocPerm',
    'hash',
    'parent:Data permlevel:Int role:Link(Role) if_owner:Check select:Check read:Check=1 write:Check create:Check ' +
      'delete:Check submit:Check cancel:Check amend:Check report:Check export:Check=1 import:Check share:Check ' +
      'print:Check email:Check',
    { 'System Manager': 'srwcd' },
  ],
  [
    'Error Log',
    'hash',
    'seen:Check method:Data error:Code reference_doctype:Link(DocType)',
    { 'System Manager': 'rwcd' },
  ],
  [
    'Deleted Document',
    'hash',
    'deleted_name:Data deleted_doctype:Data data:Code restored:Check',
    { 'System Manager': 'rd' },
  ],
  [
    'DocShare',
    'hash',
    'user:Link(User) share_doctype:Link(DocType) share_name:Dynamic_Link(share_doctype) read:Check write:Check ' +
      'share:Check submit:Check everyone:Check notify_by_email:Check=1',
    { 'System Manager': 'rwcdh' },
  ],
  ['Version', 'hash', 'ref_doctype:Link(DocType) docname:Data data:Code', { 'System Manager': 'r' }],
  [
    'Server Script',
    'prompt',
    'script_type:Data reference_doctype:Link(DocType) event_frequency:Data=All doctype_event:Data api_method:Data allow_guest:Check ' +
      'disabled:Check script:Code enable_rate_limit:Check rate_limit_count:Int=5 rate_limit_seconds:Int=86400',
    { 'Script Manager': 'srwcd' },
  ],
  [
    'Webhook Request Log',
    'hash',
    'webhook:Data reference_document:Data user:Link(User) url:Small_Text headers:Code data:Code response:Code error:Text',
    { 'System Manager': 'srd' },
  ],
  [
    'Communication',
    'hash',
    'subject:Small_Text content:Text_Editor sender:Data recipients:Small_Text cc:Small_Text bcc:Small_Text ' +
      'sent_or_received:Data delivery_status:Data= communication_date:Datetime reference_doctype:Link(DocType) ' +
      'reference_name:Data',
    { 'System Manager': 'r' },
  ],
  [
    'Comment',
    'hash',
    'comment_type:Data reference_doctype:Link(DocType) reference_name:Dynamic_Link(reference_doctype) ' +
      'subject:Text content:Text_Editor',
    { 'System Manager': 'srwcd', 'Website Manager': 'srwcd' },
  ],
  [
    'HD Ticket Comment',
    'hash',
    'reference_ticket:Link(HD_Ticket) content:Text_Editor commented_by:Link(User)',
    { 'System Manager': 'srwcd', Agent: 'srwcd', 'Agent Manager': 'srwcd' },
  ],
  [
    'HD Service Level Agreement',
    'field:service_level',
    'service_level:Data* enabled:Check=1',
    { 'System Manager': 'srwcd', Agent: 'sr', 'Agent Manager': 'srwcd' },
  ],
  [
    'HD Ticket Template',
    'field:template_name',
    'template_name:Data* about:Text description_template:Text_Editor',
    { 'System Manager': 'srwcd', Agent: 'sr', 'Agent Manager': 'srwcd' },
  ],
  // Helpdesk gives System Manager a row of its own (its setup/install.py).
  [
    'Website Settings',
    'prompt',
    'app_name:Data disable_signup:Check=1 hide_footer_signup:Check hide_login:Check',
    { 'Website Manager': 'rwc', 'System Manager': 'rwcd' },
  ],
  ['Dynamic Link', 'hash', 'link_doctype:Link(DocType)* link_name:Dynamic_Link(link_doctype)* link_title:Data', {}],
  ['Assignment Rule Day', 'hash', 'day:Data*', {}],
  ['Assignment Rule User', 'hash', 'user:Link(User)*', {}],
  ['OAuth Client Role', 'hash', 'role:Link(Role)', {}],
  ['Webhook Header', 'hash', 'key:Small_Text value:Small_Text', {}],
  ['Webhook Data', 'hash', 'fieldname:Data key:Data', {}],
  ['DocType Action', 'hash', 'label:Data', {}],
  ['DocType Link', 'hash', 'link_doctype:Data', {}],
  ['DocType State', 'hash', 'title:Data', {}],
];

const childTables = new Set(['DocField', 'DocPerm', 'Has Role', 'Dynamic Link']);

const singles = new Set(['Website Settings']);

export function builtinDoctypes(): DocType[] {
  return definitions.map(([name, autoname, fields, permissions]) => ({
    name,
    autoname,
    issingle: singles.has(name) ? 1 : 0,
    istable: childTables.has(name) || Object.keys(permissions).length === 0 ? 1 : 0,
    modified: '2024-12-08 00:00:00.000000',
    fields: fields.split(' ').map(parseField),
    permissions: Object.entries(permissions).map(([role, letters]) => permissionRow(role, letters)),
  }));
}

function parseField(notation: string): Field {
  const match = /^(\w+):(\w+)(?:\((\w+)\))?(\^1)?(?:=(\w*))?(\*)?$/.exec(notation);
  if (match === null) throw new Error(`bad field notation: ${notation}`);
  const [, fieldname = '', type = '', options, level, standard, required] = match;
  return {
    fieldname,
    label: fieldname.replaceAll('_', ' ').replace(/\b\w/g, (letter) => letter.toUpperCase()),
    fieldtype: type.replaceAll('_', ' '),
    ...(options === undefined
      ? {}
      : { options: options.includes('_doctype') ? options : options.replaceAll('_', ' ') }),
    ...(level === undefined ? {} : { permlevel: 1 }),
    ...(standard === undefined ? {} : { default: standard }),
    ...(required === undefined ? {} : { reqd: 1 }),
  };
}

/** A permission row from its letters: select, read, write, create, delete, share (`h`), owner only. */
export function permissionRow(role: string, letters: string): DocPerm {
  const flag = (letter: string): number => (letters.includes(letter) ? 1 : 0);
  return {
    role,
    select: flag('s'),
    read: flag('r'),
    write: flag('w'),
    create: flag('c'),
    delete: flag('d'),
    share: flag('h'),
    if_owner: flag('o'),
  };
}
