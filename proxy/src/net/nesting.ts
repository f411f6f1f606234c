/** Whether lists and objects stand deeper in each other than `limit`, in a text that is JSON; a text that is none may give either. */
export function isNestedDeeper(json: string, limit: number): boolean {
  // Nothing else can hold anything, and a page's scripts are not to be taken for depth.
  if (!/^\s*[[{]/.test(json)) return false;
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (isInString) {
      if (code === backslash) at += 1;
      else if (code === quote) isInString = false;
    } else if (code === quote) isInString = true;
    else if (code === opensList || code === opensObject) {
      depth += 1;
      if (depth > limit) return true;
    } else if (code === closesList || code === closesObject) depth -= 1;
  }
  return false;
}

const [quote, backslash] = [0x22, 0x5c];
const [opensList, closesList] = [0x5b, 0x5d];
const [opensObject, closesObject] = [0x7b, 0x7d];
