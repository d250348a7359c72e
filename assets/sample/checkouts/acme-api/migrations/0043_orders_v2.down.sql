drop table orders_v2;
