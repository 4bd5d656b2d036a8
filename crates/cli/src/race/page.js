'use strict';
(() => {
  const source = document.getElementById('data');
  if (!source) return;
  const { strategies, range, x, y, puzzles } = JSON.parse(source.textContent);
  const picks = ['across', 'up'].map((id) => document.getElementById('pick-' + id));
  const names = ['across', 'up'].map((id) => document.getElementById(id));
  const marks = document.getElementById('marks');
  const pointed = document.getElementById('pointed');
  const logs = range.map(Math.log10);
  const at = (ns, [from, to]) => {
    const share = (Math.log10(Math.max(ns, 1)) - logs[0]) / (logs[1] - logs[0]);
    return from + (to - from) * Math.min(Math.max(share, 0), 1);
  };
  const time = (ns) => {
    const [unit, size] = [['s', 1e9], ['ms', 1e6], ['µs', 1e3], ['ns', 1]].find(([, size]) => ns >= size) || ['ns', 1];
    return (ns / size).toPrecision(3) + ' ' + unit;
  };
  const element = (name) => document.createElementNS('http://www.w3.org/2000/svg', name);

  const draw = () => {
    const chosen = picks.map((pick) => Number(pick.value));
    names.forEach((name, i) => {
      name.textContent = strategies[chosen[i]];
      name.setAttribute('class', 'f' + chosen[i]);
    });
    const drawn = [];
    for (const puzzle of puzzles) {
      const ns = chosen.map((s) => puzzle.ns[s]);
      if (ns.includes(null)) continue;
      const mark = element('circle');
      mark.setAttribute('class', chosen.some((s) => puzzle.gave_up.includes(s)) ? 'dot open' : 'dot');
      mark.setAttribute('cx', at(ns[0], x));
      mark.setAttribute('cy', at(ns[1], y));
      mark.setAttribute('r', 4);
      const took = chosen.map((s, i) => strategies[s] + (puzzle.gave_up.includes(s) ? ' gave up after ' : ' ') + time(ns[i]));
      const text = puzzle.name + ' (' + puzzle.set + '): ' + took.join(', ') + '\n' + puzzle.puzzle;
      const title = element('title');
      title.textContent = text;
      mark.append(title);
      mark.addEventListener('pointerenter', () => { pointed.textContent = text; });
      drawn.push(mark);
    }
    marks.replaceChildren(...drawn);
    pointed.textContent = '';
  };

  picks.forEach((pick) => pick.addEventListener('change', draw));
  draw();
})();
