import { auditDependencies } from './audit-dependencies.ts';
import { root } from './steps.ts';

/** `npm run audit`: exit code 1 if something grave is known against a package that we ship; 0 also where nobody can be asked. */
const audit = await auditDependencies(root, process.argv.slice(2));
if (!audit.asked) console.log(`The registry could not be asked about the dependencies: ${audit.why}`);
else if (audit.found.length === 0) console.log('Nothing grave is known against the dependencies.');
else {
  for (const { module_name, severity, title, patched_versions, url } of audit.found)
    console.log(`${module_name}: ${title} (${severity}); mended in ${patched_versions ?? 'no version yet'}; ${url}`);
  process.exitCode = 1;
}
