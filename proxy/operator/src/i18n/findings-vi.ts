/**
 * What `doctor` finds, by its code: the problem and what to do, in Vietnamese. The proxy's own sentences are in English and
 * name names; they are shown below these.
 */
export const findingsVi: Readonly<Record<string, readonly [problem: string, remedy: string]>> = {
  public_url_missing: ['Chưa đặt PUBLIC_URL.', 'Hãy đặt PUBLIC_URL là địa chỉ của proxy.'],
  public_url_not_https: ['PUBLIC_URL không dùng https.', 'Hãy đặt máy chủ web có chứng chỉ trước proxy.'],
  public_url_unreachable: [
    'Không kết nối được với proxy qua PUBLIC_URL.',
    'Hãy kiểm tra tên miền, máy chủ web phía trước và dịch vụ Deskside.',
  ],
  public_url_foreign: ['Ở PUBLIC_URL không phải là proxy này.', 'Hãy sửa PUBLIC_URL hoặc máy chủ web phía trước.'],
  public_url_other_version: ['Proxy ở PUBLIC_URL chạy phiên bản khác.', 'Hãy khởi động lại dịch vụ.'],
  public_url_certificate: [
    'Chứng chỉ ở PUBLIC_URL không được chấp nhận.',
    'Hãy gia hạn chứng chỉ, hoặc cho máy này và helpdesk tin đơn vị cấp chứng chỉ riêng.',
  ],
  public_url_certificate_ends: ['Chứng chỉ ở PUBLIC_URL sắp hết hạn.', 'Hãy gia hạn chứng chỉ.'],
  webhook_secret_not_set: [
    'Chưa đặt HELPDESK_WEBHOOK_SECRET nên phiếu mới không được điều phối.',
    'Hãy chạy “deskside provision”, lệnh sẽ tạo ra nó.',
  ],
  oauth_clients_not_set: [
    'Chưa đặt OAUTH_CLIENT_IDS nên nhân viên chỉ đăng nhập được bằng khóa.',
    'Hãy chạy “deskside provision”, lệnh sẽ tạo các client.',
  ],
  operator_client_not_set: [
    'OAUTH_CLIENT_IDS chưa có “operator” nên không ai đăng nhập được vào trang này.',
    'Hãy chạy “deskside provision”, lệnh sẽ tạo các client.',
  ],
  data_folder_unusable: ['Không dùng được thư mục dữ liệu.', 'Hãy cho tài khoản của proxy quyền ghi vào thư mục đó.'],
  data_folder_exposed: [
    'Người khác trên máy đọc được thư mục dữ liệu.',
    'Hãy chỉ cho tài khoản của proxy quyền truy cập.',
  ],
  data_folder_foreign: ['Thư mục dữ liệu thuộc về tài khoản khác.', 'Hãy chuyển thư mục cho tài khoản của proxy.'],
  disk_nearly_full: ['Ổ đĩa gần đầy.', 'Hãy giải phóng dung lượng.'],
  backup_old: [
    'Dữ liệu chưa được sao lưu, hoặc bản sao lưu đã cũ.',
    'Hãy chạy “backup” mỗi đêm và giữ bản sao trên máy khác.',
  ],
  own_clock_off: ['Đồng hồ của máy này bị lệch.', 'Hãy đồng bộ giờ của máy.'],
  helpdesk_clock_off: ['Đồng hồ của helpdesk bị lệch.', 'Hãy đồng bộ giờ của máy chủ helpdesk.'],
  crm_clock_off: ['Đồng hồ của CRM bị lệch.', 'Hãy báo bên vận hành CRM.'],
  helpdesk_unreachable: ['Không kết nối được với helpdesk.', 'Hãy kiểm tra HELPDESK_URL và mạng.'],
  helpdesk_certificate: [
    'Chứng chỉ của helpdesk không được chấp nhận.',
    'Hãy gia hạn chứng chỉ, sửa HELPDESK_URL, hoặc cho máy này tin đơn vị cấp chứng chỉ riêng rồi khởi động lại Deskside.',
  ],
  helpdesk_not_recognised: ['Địa chỉ HELPDESK_URL không phải Frappe Helpdesk.', 'Hãy sửa HELPDESK_URL.'],
  helpdesk_version_old: ['Phiên bản helpdesk quá cũ.', 'Hãy nâng cấp Frappe Helpdesk.'],
  time_zone_unknown: ['Không nhận ra múi giờ của helpdesk.', 'Hãy đặt múi giờ hợp lệ trong System Settings.'],
  admin_key_refused: ['Helpdesk từ chối khóa của quản trị viên.', 'Hãy tạo khóa mới trong helpdesk.'],
  admin_key_lacks_role: ['Khóa này không phải của System Manager.', 'Hãy dùng khóa của System Manager.'],
  service_key_refused: [
    'Helpdesk từ chối khóa của tài khoản dịch vụ.',
    'Hãy tạo khóa mới và đặt lại HELPDESK_API_KEY, HELPDESK_API_SECRET.',
  ],
  service_not_agent: ['Tài khoản dịch vụ không phải nhân viên.', 'Hãy cấp vai trò Agent và Agent Manager.'],
  service_is_administrator: ['Tài khoản dịch vụ là Administrator.', 'Hãy dùng một tài khoản riêng.'],
  service_restricted: ['Tài khoản dịch vụ không thấy hết mọi phiếu.', 'Hãy bỏ giới hạn đối với tài khoản này.'],
  tickets_not_writable: [
    'Tài khoản dịch vụ không sửa được phiếu.',
    'Hãy cấp cho tài khoản này quyền ghi phiếu trong helpdesk.',
  ],
  customers_not_writable: [
    'Tài khoản dịch vụ không sửa được khách hàng.',
    'Hãy cấp cho tài khoản này quyền ghi khách hàng trong helpdesk.',
  ],
  field_missing: ['Helpdesk thiếu trường cần thiết.', 'Hãy chạy “deskside provision”.'],
  field_org_id_int: ['Trường mã tổ chức có kiểu số nguyên.', 'Hãy đổi trường này sang kiểu Data.'],
  field_type_unsuitable: ['Một trường có kiểu không phù hợp.', 'Hãy đổi kiểu của trường.'],
  field_options_missing: ['Một trường chọn thiếu giá trị.', 'Hãy thêm các giá trị còn thiếu.'],
  field_options_fixed: ['Danh sách giá trị của một trường bị cố định.', 'Hãy đổi trường này sang kiểu Data.'],
  field_too_short: ['Một trường quá ngắn.', 'Hãy tăng độ dài của trường.'],
  field_level_closed: [
    'Có trường mà vai trò cần thiết không đọc hoặc ghi được.',
    'Hãy cấp quyền ở mức quyền của trường.',
  ],
  customer_org_id_open: [
    'Người dùng cổng khách hàng tự sửa được mã tổ chức.',
    'Hãy chạy “deskside provision” để khóa trường này.',
  ],
  account_links_open: ['Người dùng cổng khách hàng tự sửa được liên kết tài khoản.', 'Hãy thu hồi quyền ghi của họ.'],
  claims_not_chosen: [
    'Chưa chọn cách dùng mã tổ chức tự khai: mã tự khai không gắn khách hàng nào.',
    'Hãy chạy “deskside provision”, hoặc đặt quy tắc “claims” trong trang cài đặt.',
  ],
  claims_open: [
    'Ai cũng tự đăng ký được vào helpdesk, và mã tổ chức tự khai được tin: người lạ đọc được mã đó của công ty nào.',
    'Hãy tắt tự đăng ký (Website Settings, “Disable signups”), hoặc chạy “settings set claims route”.',
  ],
  team_missing: ['Một nhóm trong quy tắc không có trong helpdesk.', 'Hãy tạo nhóm hoặc sửa quy tắc.'],
  team_disabled: ['Một nhóm trong quy tắc đã bị tắt.', 'Hãy bật nhóm hoặc sửa quy tắc.'],
  team_nobody_assignable: ['Một nhóm không có ai để giao phiếu.', 'Hãy thêm nhân viên đang hoạt động vào nhóm.'],
  rule_users_differ: [
    'Quy tắc giao phiếu có sẵn của helpdesk khác thành viên nhóm.',
    'Hãy lưu lại nhóm trong helpdesk.',
  ],
  another_installation: ['Có một bản Deskside khác cũng đang điều phối phiếu.', 'Hãy tắt một trong hai bản.'],
  ticket_page_changed: ['Trang phiếu của helpdesk đã thay đổi.', 'Hãy cập nhật tiện ích.'],
  webhook_missing: ['Helpdesk chưa có webhook báo phiếu mới.', 'Hãy chạy “deskside provision”.'],
  webhook_disabled: ['Webhook báo phiếu mới đang tắt.', 'Hãy bật webhook trong helpdesk.'],
  webhook_wrong_url: ['Webhook gửi đến địa chỉ khác.', 'Hãy chạy “deskside provision”.'],
  webhook_wrong_event: ['Webhook nghe sai sự kiện.', 'Hãy chạy “deskside provision”.'],
  webhook_unsigned: ['Webhook không có chữ ký.', 'Hãy chạy “deskside provision”.'],
  webhook_secret_differs: ['Khóa bí mật của webhook khác với của proxy.', 'Hãy chạy “deskside provision”.'],
  webhook_secret_previous: ['Webhook vẫn dùng khóa bí mật cũ.', 'Hãy chạy “deskside provision”.'],
  webhook_conditional: ['Webhook có điều kiện nên bỏ sót phiếu.', 'Hãy xóa điều kiện.'],
  webhook_body_differs: ['Nội dung webhook gửi đi không đúng.', 'Hãy chạy “deskside provision”.'],
  webhook_deliveries_failing: ['Webhook đang gửi thất bại.', 'Hãy xem nhật ký webhook trong helpdesk.'],
  script_blocks_tickets: [
    'Script Before Insert đang cản việc tạo phiếu.',
    'Hãy tắt script rồi chạy lại “deskside provision”.',
  ],
  script_wrong_url: ['Script Before Insert gọi địa chỉ khác.', 'Hãy chạy “deskside provision --before-insert”.'],
  script_without_secret: ['Script Before Insert thiếu khóa bí mật.', 'Hãy chạy “deskside provision --before-insert”.'],
  script_secret_differs: [
    'Khóa bí mật của script khác với của proxy.',
    'Hãy chạy “deskside provision --before-insert”.',
  ],
  script_secret_previous: ['Script vẫn dùng khóa bí mật cũ.', 'Hãy chạy “deskside provision --before-insert”.'],
  script_catches_nothing: ['Script Before Insert không bắt lỗi.', 'Hãy chạy “deskside provision --before-insert”.'],
  oauth_client_missing: [
    'Helpdesk không có OAuth client với mã đã đặt.',
    'Hãy chạy “deskside provision”; nếu môi trường đặt OAUTH_CLIENT_IDS thì bỏ đi.',
  ],
  oauth_client_redirect_differs: ['OAuth client dẫn về địa chỉ khác.', 'Hãy chạy “deskside provision”.'],
  oauth_client_open_to_all: ['OAuth client cho cả người ngoài đăng nhập.', 'Hãy giới hạn “Allowed Roles”.'],
  crm_disabled: ['CRM đang tắt nên không tìm công ty nào.', 'Hãy đặt CRM_ENABLED=1.'],
  crm_not_configured: ['CRM chưa thiết lập.', 'Hãy đặt CRM_WEBHOOK_URL.'],
  crm_unreachable: ['Không kết nối được với CRM.', 'Hãy kiểm tra địa chỉ CRM và mạng.'],
  crm_certificate: [
    'Chứng chỉ của CRM không được chấp nhận.',
    'Hãy gia hạn chứng chỉ, sửa địa chỉ CRM, hoặc cho máy này tin đơn vị cấp chứng chỉ riêng rồi khởi động lại Deskside.',
  ],
  crm_webhook_refused: [
    'CRM không chấp nhận khóa của Deskside.',
    'Hãy tạo webhook mới trong CRM và đặt lại CRM_WEBHOOK_URL.',
  ],
  crm_scope_missing: ['Khóa của Deskside thiếu quyền trong CRM.', 'Hãy cấp quyền crm cho webhook.'],
  crm_failing: ['CRM trả lời bằng lỗi.', 'Hãy thử lại sau ít phút; nếu vẫn vậy, hãy báo bên vận hành CRM.'],
  crm_field_missing: ['CRM thiếu trường để tìm công ty.', 'Hãy sửa crm_fields trong quy tắc.'],
  crm_field_unknown: ['Có trường trong quy tắc mà CRM không biết.', 'Hãy sửa crm_fields trong quy tắc.'],
  crm_segments_unknown: ['CRM không có phân khúc được tính là Medium.', 'Hãy sửa medium_segments trong quy tắc.'],
  crm_no_companies: ['CRM chưa có công ty nào có mã tổ chức.', 'Hãy kiểm tra trường mã tổ chức trong CRM.'],
  responsible_not_configured: [
    'Chưa thiết lập webhook để tìm người phụ trách.',
    'Hãy đặt CRM_RESPONSIBLE_WEBHOOK_URL.',
  ],
  responsible_webhook_refused: [
    'CRM không chấp nhận khóa để tìm người phụ trách.',
    'Hãy tạo webhook mới và đặt lại CRM_RESPONSIBLE_WEBHOOK_URL.',
  ],
  responsible_scope_missing: ['Khóa để tìm người phụ trách thiếu quyền.', 'Hãy cấp quyền user_basic cho webhook.'],
};

/** The parts of `doctor`, in Vietnamese, by the names that it gives them. */
export const areasVi: Readonly<Record<string, string>> = {
  Settings: 'Cài đặt',
  Address: 'Địa chỉ công khai',
  'Data folder': 'Thư mục dữ liệu',
  Backup: 'Sao lưu',
  Clocks: 'Đồng hồ',
  Helpdesk: 'Helpdesk',
  'Service account': 'Tài khoản dịch vụ',
  Fields: 'Các trường',
  'Fields and teams': 'Các trường và nhóm',
  Evidence: 'Căn cứ',
  Teams: 'Nhóm',
  Claims: 'Lời tự khai',
  'Other installations': 'Bản cài đặt khác',
  'Ticket page': 'Trang phiếu',
  Webhook: 'Webhook',
  'Before Insert script': 'Script Before Insert',
  'Sign-in': 'Đăng nhập',
  'Webhook, script, sign-in': 'Webhook, script, đăng nhập',
  CRM: 'CRM',
};

/** Why something was not checked, in Vietnamese, where `doctor` always says it the same way. */
export const uncheckedVi: Readonly<Record<string, string>> = {
  "they need a System Manager's key (--admin-key-file or DESKSIDE_ADMIN_KEY).":
    'cần khóa của một System Manager (biến DESKSIDE_ADMIN_KEY).',
  'The CRM.': 'chưa kiểm tra CRM.',
  'Everything else about the helpdesk.': 'mọi phần khác của helpdesk.',
  'All of it.': 'toàn bộ phần này.',
  'Whether the proxy is reached at PUBLIC_URL.': 'có kết nối được với proxy qua PUBLIC_URL hay không.',
  'Whether anybody may sign up: run "deskside provision", which looks.':
    'ai cũng đăng ký được hay không: hãy chạy “deskside provision” để xem.',
  'Neither the helpdesk nor the CRM reported its time.': 'cả helpdesk lẫn CRM đều không cho biết giờ.',
  'The company fields: the CRM does not describe them.': 'các trường của công ty: CRM không mô tả chúng.',
  'The data is in PostgreSQL; the proxy reports at startup whether it can be used.':
    'dữ liệu nằm trong PostgreSQL; khi khởi động, proxy báo có dùng được hay không.',
  'Whether the site runs server scripts: it does not say.':
    'trang có chạy server script hay không: trang không cho biết.',
};
