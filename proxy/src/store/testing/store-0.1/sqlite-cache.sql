-- A store as Deskside wrote it in November 2026, through its own openStore. What it holds is never edited: stores like it exist.
pragma application_id = 1146309443;
CREATE TABLE "cache_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
CREATE TABLE "cache_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
CREATE TABLE "crm_company_cache" ("portal" text not null, "lookup" text not null, "org_id" text not null, "companies" text not null, "found" integer not null, "checked_at" integer not null, "outdated_at" integer, constraint "crm_company_cache_key" primary key ("portal", "lookup", "org_id")) strict;
CREATE INDEX "crm_company_cache_found" on "crm_company_cache" ("portal", "found");
CREATE TABLE "crm_company_key" ("portal" text not null, "company_id" text not null, "lookup" text not null, "org_id" text not null, "checked_at" integer not null, constraint "crm_company_key_key" primary key ("portal", "company_id", "lookup", "org_id")) strict;
CREATE TABLE "crm_user_cache" ("portal" text not null, "user_id" text not null, "crm_user" text not null, "checked_at" integer not null, constraint "crm_user_cache_key" primary key ("portal", "user_id")) strict;
CREATE INDEX "crm_company_cache_checked_at" on "crm_company_cache" ("checked_at");
CREATE INDEX "crm_company_key_checked_at" on "crm_company_key" ("checked_at");
CREATE INDEX "crm_user_cache_checked_at" on "crm_user_cache" ("checked_at");
CREATE TABLE "cache_probe" ("id" integer primary key, "probes" integer not null) strict;
insert into "cache_migration" ("name", "timestamp") values ('0001_crm_answers', '2026-11-21T22:37:15.112Z');
insert into "cache_migration_lock" ("id", "is_locked") values ('migration_lock', 0);
insert into "crm_company_cache" ("portal", "lookup", "org_id", "companies", "found", "checked_at", "outdated_at") values ('crm.example', 'company_id', '200000376001', '[{"fields":{"bitrix_id":"7","company_id":"200000376001","company_name":"Gốm Sứ Làng Mơ","title_full":"Gốm Sứ Làng Mơ - 200000376001","url":null,"date_create":"01/02/2020","date_modify":"20/11/2026","assigned_by_id":"7","address_region":null,"address_country":null,"verified_status":null,"company_stage":null,"freshsales_id":null,"owner_name":null,"owner_email":null,"owner_phone":null,"membership":null,"shop_created_date":null,"first_shopplan_date":null,"current_shopplan":"OMNI SCALE 2025 (1 năm)","current_shopplan_date":null,"shopplan_expiry":"31/12/2026","current_hsi_segment":null,"current_hsi_detail":null,"last_hsi_segment":null,"last_hsi_detail":null,"customer_segment":"Medium","customer_segment_code":null,"metrics":[]},"planExpiresAt":1795176000000,"modifiedAt":null,"emails":["chu@gomsu.example"],"contacts":[{"id":"1","name":"Lan","post":null,"emails":["lan@gomsu.example"],"phones":["0901"],"url":null}],"matchedField":"UF_CRM_COMPANY_ID","payload":"{\"ID\":\"7\"}"}]', 1, 1795176000000, null);
insert into "crm_company_key" ("portal", "company_id", "lookup", "org_id", "checked_at") values ('crm.example', '7', 'company_id', '200000376001', 1795176000000);
insert into "crm_user_cache" ("portal", "user_id", "crm_user", "checked_at") values ('crm.example', '7', '{"id":"7","active":true,"email":"an@crm.example","name":"Trần Văn An","userType":"employee"}', 1795176000000);
