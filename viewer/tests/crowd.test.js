// What the page says of a crowd of which only a part is there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Crowd } from '../src/crowd.js';

test('a crowd that grows blames nobody, one that was thinned the line', () => {
  const crowd = new Crowd();
  crowd.begin();
  const said = (oneIn) => {
    crowd.set({ grains: 200000, one_in: oneIn });
    return crowd.notice;
  };
  assert.equal(said(4), 'One grain in 4 is shown so far.');
  assert.equal(said(2), 'One grain in 2 is shown so far.');
  assert.equal(said(1), '');
  assert.match(said(2), /slow: one grain in 2/);
  assert.match(said(4), /slow: one grain in 4/);
  assert.match(said(2), /slow: one grain in 2/);
  assert.equal(said(1), '');
  said(2);
  crowd.begin();  // the page comes back
  assert.equal(said(8), 'One grain in 8 is shown so far.');
});
