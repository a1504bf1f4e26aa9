-- The log held the links that clients approve under, and those that accounts are connected by,
-- which are all that it takes to use them.
UPDATE audit SET path = CASE operation WHEN 'create_approval' THEN '/app/v1/approvals'
    ELSE '/app/v1/accounts/connect' END
  WHERE path LIKE 'http%';
