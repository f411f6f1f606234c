/**
 * A shop of the invented world, before any system has turned it into records of its own. Everything is made up: names,
 * people, `.example` addresses and the telephone block 0900 000 xxx.
 */
export interface Shop {
  /** Company id in the CRM. */
  crmId: string;
  /** Platform org id, also called Company ID. */
  orgId: string;
  name: string;
  /** Host label of its addresses: `<slug>.example`, `<slug>.myplatform.example`. */
  slug: string;
  ownerFamily: string;
  ownerGiven: string;
  city: string;
  plan: string;
  /** Days until the plan ends; null where it has no end. */
  daysLeft: number | null;
  hsi: string;
  hsiDetail: string;
  /** Item id of the CRM's segment list: 15090 SME, 15092 Medium, 15094 Enterprise. */
  segment: string;
  /** CRM user id of the account owner. */
  assigned: string;
}

const table = `
63001 | 1000069001   | Tiệm Hoa Mẫu            | tiemhoamau      | Nguyễn Thị  | Mẫu   | Hồ Chí Minh | Chuyên nghiệp             | -2380 | HSI_1    | 0E-7        | 15090 | 338
63002 | 200000376001 | Gốm Sứ Làng Mơ          | gomlangmo       | Trần Quang  | Khải  | Hà Nội      | OMNI SCALE 2025 (1 năm)   | 212   | HSI_500+ | 580.0000000 | 15092 | 341
63003 | 1000391001   | Cà Phê Sương Núi        | caphesuongnui   | Lê Hoàng    | Vũ    | Lâm Đồng    | Grow 2024                 | 18    | HSI_200  | 12.3456789  | 15092 | 338
63004 | 200000010001 | Thời Trang Mây Lụa      | maylua          | Phạm Ngọc   | Diệp  | Đà Nẵng     | OMNI PRO 2024 (2 năm)     | 401   | HSI_100  | 118.5000000 | 15090 | 341
63005 | 1900000001   | Nhà Sách Trăng Non      | trangnon        | Đỗ Minh     | Tâm   | Huế         | STANDARD                  | 74    | HSI_1    | 1.0000000   | 15090 | 338
63006 | 1900000017   | Mỹ Phẩm Sen Đá          | senda           | Vũ Thanh    | Hương | Hà Nội      | OMNICHANNEL               | 9     | HSI_100  | 96.2500000  | 15090 | 345
63007 | 1000500107   | Đặc Sản Bến Quê         | dacsanbenque    | Bùi Văn     | Lộc   | Cần Thơ     | AFFILIATE                 | null  | HSI_0    |             | 15090 | 338
63008 | 1000500108   | Đồ Gỗ Xưởng Nắng        | xuongnang       | Hoàng Đức   | Thịnh | Bình Dương  |                           | null  |          | n/a         | 15090 | 341
63009 | 200000376009 | Siêu Thị Mẹ Bống        | mebong          | Ngô Thị     | Lan   | Hồ Chí Minh | OMNI SCALE 2025 (1 năm)   | 0     | HSI_500  | 512.7500000 | 15094 | 345
63010 | 200000376010 | Điện Máy Tia Chớp       | tiachop         | Đặng Hữu    | Phước | Đồng Nai    | OMNI SCALE 2025 (1 năm)   | 29    | HSI_500+ | 903.1000000 | 15092 | 352
63011 | 200000376011 | Vali Cánh Diều          | valicanhdieu    | Trịnh Bảo   | Ngân  | Hà Nội      | Grow 2024                 | 30    | HSI_200  | 240.0000000 | 15092 | 367
63012 | 200000376012 | Trà Sữa Ông Mập         | traongmap       | Lý Gia      | Hân   | Hồ Chí Minh | STANDARD                  | -1    | HSI_1    | 3.2000000   | 15090 | 999999
63013 | 1000700213   | Hải Sản Sóng Cả         | haisansongca    | Phan Thế    | Anh   | Khánh Hòa   | OMNI PRO 2024 (2 năm)     | 155   | HSI_100  | 101.0000000 | 15090 |
63014 | 1000700214   | Yến Sào Đảo Xa          | yendaoxa        | Mai Thúy    | Quỳnh | Khánh Hòa   | STANDARD                  | 61    | HSI_1    | 7.7500000   | 15090 | 338
63015 | 1000700215   | Phụ Kiện Số Bảy         | phukienso7      | Dương Nhật  | Minh  | Hà Nội      | STANDARD                  | 88    | HSI_1    | 2.0000000   | 15999 | 341
63016 | 1000700216   | Nội Thất Ô Cửa          | ocua            | Tạ Khánh    | Linh  | Hải Phòng   | Grow 2024                 | 120   | HSI_200  | 188.8800000 | 15092 | 338
63017 | 1000700217   | Xe Đạp Gió Đồng         | giodong         | Hồ Trung    | Kiên  | Nghệ An     | OMNI PRO 2024 (2 năm)     | 300   | HSI_100  | 77.0000000  | 15090 | 341
63018 | 1000700218   | Giày Bước Êm            | giaybuocem      | Cao Phương  | Thảo  | Hồ Chí Minh | OMNI SCALE 2025 (1 năm)   | 44    | HSI_500+ | 640.2500000 | 15092 | 338
63019 | 1000700219   | Bánh Nhà Nội            | banhnhanoi      | Lương Thị   | Mận   | Nam Định    | STANDARD                  | 12    | HSI_1    | 5.5000000   | 15090 | 360
63020 | 1000700220   | Thú Cưng Lông Xù        | longxu          | Vương Tuấn  | Tú    | Hà Nội      | OMNICHANNEL               | 210   | HSI_100  | 66.6000000  | 15090 | 341
63021 | 1000700221   | Tranh Sơn Mài Cổ Mộc    | comoc           | Đinh Công   | Trứ   | Hà Nội      | STANDARD                  | 95    | HSI_1    | 1.2500000   | 15090 | 356
63022 | 1000700222   | Nông Trại Đồi Chè       | doiche          | Quách Mỹ    | Duyên | Thái Nguyên | OMNI PRO 2024 (2 năm)     | 33    | HSI_100  | 140.0000000 | 15090 | 338
63023 | 1000700223   | Kính Mắt Trời Trong     | troitrong       | Tô Vĩnh     | Hưng  | Đà Nẵng     | Grow 2024                 | 66    | HSI_200  | 205.0000000 | 15092 | 341
63024 | 1000700224   | Tiệm Vải Chỉ Hồng       | chihong         | Châu Lệ     | Thu   | An Giang    | STANDARD                  | 140   | HSI_1    | 4.0000000   | 15090 | 338
63025 | 1000700225   | Đồ Chơi Cầu Vồng        | cauvong         | La Chí      | Công  | Hồ Chí Minh | OMNI SCALE 2025 (1 năm)   | 250   | HSI_500+ | 720.0000000 | 15094 | 345
63026 | 1000700226   | Chợ Quê Online          | choque          | Thái Hải    | Yến   | Tiền Giang  | AFFILIATE                 | 500   | HSI_0    | 0.0000000   | 15090 | 341
63027 | 1000700227   | Nhạc Cụ Dây Tơ          | dayto           | Âu Dương    | Cầm   | Huế         | STANDARD                  | 25    | HSI_1    | 2.7500000   | 15090 | 338
63028 | 1000700228   | Quán Ăn Ba Gác          | bagac           | Huỳnh Tấn   | Phát  | Vĩnh Long   | STANDARD                  | 180   | HSI_1    | 9.0000000   | 15090 | 341
63029 | 1000700229   | Lều Trại Rừng Thông     | rungthong       | Mạc Thiên   | Di    | Lâm Đồng    | Grow 2024                 | 77    | HSI_200  | 231.0000000 | 15092 | 338
63030 | 1000700230   | Bếp "Xinh" & Gấu #1     | nhagau          | Tống Kim    | Ngọc  | Hà Nội      | OMNI PRO 2024 (2 năm)     | 8     | HSI_100  | 83.0000000  | 15090 | 345
63031 | 1000700231   | Sữa Hạt Mầm Xanh        | mamxanh         | Kiều Trọng  | Nghĩa | Hồ Chí Minh | OMNICHANNEL               | 260   | HSI_100  | 130.0000000 | 15090 | 338
63032 | 1000700232   | Đèn Lồng Phố Hội        | phohoi          | Viên Thị    | Xuân  | Quảng Nam   | STANDARD                  | 51    | HSI_1    | 6.0000000   | 15090 | 341
`;

export const shops: readonly Shop[] = table
  .trim()
  .split('\n')
  .map((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    const [crmId = '', orgId = '', name = '', slug = '', ownerFamily = '', ownerGiven = '', city = ''] = cells;
    const [plan = '', days, hsi = '', hsiDetail = '', segment = '', assigned = ''] = cells.slice(7);
    const daysLeft = days === 'null' ? null : Number(days);
    return {
      ...{ crmId, orgId, name, slug, ownerFamily, ownerGiven, city },
      ...{ plan, daysLeft, hsi, hsiDetail, segment, assigned },
    };
  });

/** The shop with this org id; throws for one that does not exist, since the seed names only its own. */
export function shopOf(orgId: string): Shop {
  const shop = shops.find((s) => s.orgId === orgId);
  if (!shop) throw new Error(`The seed has no shop with org id ${orgId}.`);
  return shop;
}

/** The owner's and the shop's addresses and telephone numbers, all derived from the shop. */
export function reachOf({ crmId, slug }: Shop) {
  const tail = crmId.slice(-3);
  return {
    ownerEmail: `owner@${slug}.example`,
    ownerPhone: `0900000${tail}`,
    shopEmail: `shop@${slug}.example`,
    shopPhone: `+84900000${tail}`,
    staffEmail: `nhanvien@${slug}.example`,
    web: `https://${slug}.example`,
    platformDomain: `${slug}.myplatform.example`,
  };
}
