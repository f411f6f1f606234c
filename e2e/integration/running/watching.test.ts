import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { demo } from '@deskside/simulators/seed/index';
import { needs } from '@deskside/testing/needs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { profileOf, world } from '../kit.ts';
import { settle } from '../pipeline-kit.ts';

const rulesFile = fileURLToPath(new URL('../../../ops/prometheus/alerts.yaml', import.meta.url));
const dashboardFile = fileURLToPath(new URL('../../../ops/grafana/deskside.json', import.meta.url));

const Rules = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Deskside[A-Z]\w+$/),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+[mh]$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['info', 'warning', 'critical']) }),
          annotations: z.strictObject({ summary: z.string().endsWith('.'), description: z.string().endsWith('.') }),
        }),
      ),
    }),
  ),
});
const Dashboard = z.object({
  uid: z.literal('deskside'),
  panels: z.array(
    z.object({
      id: z.int(),
      title: z.string(),
      targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })).default([]),
    }),
  ),
});

const rules = Rules.parse(parse(readFileSync(rulesFile, 'utf8'))).groups.flatMap((group) => group.rules);
const { panels } = Dashboard.parse(JSON.parse(readFileSync(dashboardFile, 'utf8')));

const environment = { METRICS_TOKEN: 'metrics-token-of-this-test' };
const metricsOf = async ({ proxyUrl }: { proxyUrl: string }) =>
  (await fetch(`${proxyUrl}/metrics`, { headers: { authorization: `Bearer ${environment.METRICS_TOKEN}` } })).text();

/** Labels that Prometheus adds itself. */
const added = ['job', 'instance', 'le'];

test('the dashboard and the alert rules ask for nothing that a running proxy does not have', async () => {
  const text = await metricsOf(await world({ environment }));
  const types = new Map([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]));
  const known = new Set(
    [...types].flatMap(([name, type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  );
  const expressions = [
    ...rules.map(({ alert, expr }) => [alert, expr] as const),
    ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ];
  expect(expressions.length).toBeGreaterThan(30);
  const used = expressions.flatMap(([where, expr]) =>
    [...expr.matchAll(/\b(?:deskside|nodejs|process)_\w+/g)].map(([name]) => ({ where, name })),
  );
  expect(used.filter(({ name }) => !known.has(name))).toEqual([]);
  // Prometheus counts a first one only where there was a 0 before.
  const counts = panels.flatMap(({ targets }) =>
    targets.flatMap(({ expr }) => [...expr.matchAll(/increase\((\w+)\{job="\$job",?([^}]*)\}\[24h\]/g)]),
  );
  expect(counts.length).toBeGreaterThan(0);
  for (const [, metric, labels] of counts) expect(text).toContain(`${metric}{${labels}} 0\n`);
  // And of ours, nothing is left out of the dashboard.
  const shown = new Set(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => expr.match(/\bdeskside_\w+/g))));
  const bare = (name: string | null) => name?.replace(/_(bucket|count)$/, '');
  const ours = [...types.keys()].filter((name) => name.startsWith('deskside_'));
  expect(ours.filter((name) => ![...shown].some((one) => bare(one) === name))).toEqual([]);
});

test('they select by labels that the metric has', async () => {
  const w = await world({ environment, pipeline: true });
  await profileOf(w, demo.tickets.matched);
  await w.helpdesk.insertTicket(demo.portal.name, { subject: 'x' }, { portal: true });
  await settle(w);
  const text = await metricsOf(w);
  const namesIn = (labels: string) => [...labels.matchAll(/(\w+)\s*(?:=~|!=|=)/g)].map(([, label = '']) => label);
  const labelsOf = Map.groupBy(text.matchAll(/^(\w+)\{([^}]*)\}/gm), ([, metric = '']) => metric);
  let selected = 0;
  for (const { expr } of [...rules, ...panels.flatMap(({ targets }) => targets)])
    for (const [, metric = '', selector = ''] of expr.matchAll(/(deskside_\w+)(\{[^}]*\})/g)) {
      const has = labelsOf.get(metric)?.flatMap(([, , labels = '']) => namesIn(labels));
      if (has === undefined) continue;
      expect([...added, ...has], expr).toEqual(expect.arrayContaining(namesIn(selector)));
      selected += 1;
    }
  expect(selected).toBeGreaterThan(10);
});

test('panels have ids of their own', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});

test('there is a rule for each fault that the service can note', async () => {
  const text = await metricsOf(await world({ environment }));
  const noted = (metric: string) =>
    [...text.matchAll(new RegExp(`^${metric}\\{fault="(\\w+)"\\} 0$`, 'gm'))].map(([, fault = '']) => fault);
  const asked = (metric: string) =>
    rules.flatMap(({ expr }) =>
      [...expr.matchAll(new RegExp(`${metric}\\{fault=~?"([\\w|]+)"\\}`, 'g'))].flatMap(([, names = '']) =>
        names.split('|'),
      ),
    );
  const lasting = noted('deskside_fault_active');
  expect(lasting.length).toBeGreaterThan(10);
  expect(asked('deskside_fault_active').toSorted()).toEqual(lasting.toSorted());
  const single = noted('deskside_faults_total').filter((fault) => !lasting.includes(fault));
  expect(asked('deskside_faults_total').toSorted()).toEqual(single.toSorted());
});

needs('promtool')('the alert rules', (promtool) => {
  test('are what Prometheus takes', () => {
    expect(execFileSync(promtool, ['check', 'rules', rulesFile], { encoding: 'utf8' })).toContain(
      `SUCCESS: ${rules.length} rules found`,
    );
  });
});
